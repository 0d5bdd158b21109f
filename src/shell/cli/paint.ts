import { plainPaint, type Paint } from '../../core/report/index.js';

/** Colour on a terminal only, and not where NO_COLOR says so (no-color.org). */
export function paintFor(stream: NodeJS.WriteStream): Paint {
  if (!stream.isTTY || (process.env['NO_COLOR'] ?? '') !== '') return plainPaint;
  return { bold: (t) => sgr(1, t), dim: (t) => sgr(2, t), good: (t) => sgr(32, t), warn: (t) => sgr(33, t) };
}

function sgr(code: number, text: string): string {
  return `\u001b[${code}m${text}\u001b[0m`;
}
