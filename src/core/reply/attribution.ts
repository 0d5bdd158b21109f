import type { Message } from '../mail/index.js';
import { replyWidth } from './wrap.js';

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const days = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];

/** `On Fri, Feb 28, 2020 at 06:52:28PM -0800, A Developer wrote:` in the author's own zone. */
export function attribution(message: Message): string[] {
  const name = (message.from?.name || message.from?.address || 'the author').replace(/[\u0000-\u001f\u007f]/g, ' ');
  const when = whenText(message);
  const line = when === undefined ? `${name} wrote:` : `On ${when}, ${name} wrote:`;
  return line.length <= replyWidth || when === undefined
    ? [line.slice(0, 200)]
    : [`On ${when},`, `${name} wrote:`.slice(0, 200)];
}

function whenText(message: Message): string | undefined {
  if (message.date === undefined) return undefined;
  const header = message.headers.find((h) => h.name === 'date')?.value ?? '';
  const zone = /[+-]\d{4}\b/.exec(header)?.[0] ?? '+0000';
  const minutes = (zone.startsWith('-') ? -1 : 1) * (Number(zone.slice(1, 3)) * 60 + Number(zone.slice(3, 5)));
  const local = new Date(Date.parse(message.date) + minutes * 60_000);
  if (Number.isNaN(local.getTime())) return undefined;
  const hour = local.getUTCHours();
  const clock = [hour % 12 === 0 ? 12 : hour % 12, local.getUTCMinutes(), local.getUTCSeconds()].map(two).join(':');
  const day = `${days[local.getUTCDay()]}, ${months[local.getUTCMonth()]} ${two(local.getUTCDate())}, ${local.getUTCFullYear()}`;
  return `${day} at ${clock}${hour < 12 ? 'AM' : 'PM'} ${zone}`;
}

function two(value: number): string {
  return String(value).padStart(2, '0');
}
