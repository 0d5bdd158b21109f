import type { Address } from '../mail/index.js';
import { silenceReasons, silentReasons } from '../review/index.js';
import type { PredictedSaving, SummaryChange, SummarySeries, SummaryState } from './summary.js';
import { predictedWords } from './summary-evidence.js';

/** Who wrote it: the name where there is one. */
export function nameOf(person: Address | undefined): string {
  if (person === undefined) return 'somebody';
  return person.name.trim() === '' ? person.address : person.name.trim();
}

/** `2026-11-30 08:15`, of a moment in ISO 8601. */
export function momentWords(iso: string): string {
  return iso.slice(0, 16).replace('T', ' ');
}

export function predictionWords(predicted: PredictedSaving | undefined): string {
  if (predicted === undefined) return 'cannot tell';
  switch (predicted.bootPath) {
    case 'on':
      return `${predictedWords(predicted)}, on the boot path`;
    case 'off':
      return `${predictedWords(predicted)}, not on the boot path`;
    case 'unknown':
      return `${predictedWords(predicted)}, if a boot waits for it`;
    default:
      return predicted.bootPath satisfies never;
  }
}

/** What became of a series on our side, in one sentence. */
export function stateWords(state: SummaryState): string {
  switch (state.kind) {
    case 'waiting':
      return `reply ${state.reply} waits for approval (${state.why}) until ${momentWords(state.until)}`;
    case 'parked':
      return `reply ${state.reply} is parked: ${state.why}`;
    case 'replied': {
      const wrong = state.wrong.map((mark) => `${mark.rule} marked wrong by ${mark.by}`).join('; ');
      return `replied ${momentWords(state.at)} by ${state.channel}${wrong === '' ? '' : `; ${wrong}`}`;
    }
    case 'would-reply':
      return `a dry run: would reply (${state.reasons.join(', ')})`;
    case 'not-sent':
      return `reply ${state.reply} was not sent: ${state.why}`;
    case 'leaving':
      return `reply ${state.reply} is on its way`;
    case 'silent':
      return `silent: ${silenceWords(state.reason, state.detail)}`;
    case 'undecided':
      return 'not judged yet';
    default:
      return state satisfies never;
  }
}

/** What a reason for silence means, for people; the content's own stand in the detail. */
export function silenceWords(reason: string, detail = ''): string {
  const known: Readonly<Record<string, string>> = { ...silentReasons, ...silenceReasons };
  const content = detail.split(' ').flatMap((word) => known[word] ?? []);
  if (reason === 'nothing-to-say' && content.length > 0) return content.join(', ');
  return known[reason] ?? reason;
}

/** Old to new, as the patch has them. */
export function changeWords({ before, after, effect }: SummaryChange): string {
  if (effect === 'guard' && before !== undefined && before === after) return `${before}, under another condition`;
  return `${before ?? 'no wait'} -> ${after ?? 'no wait'}`;
}

export function placeWords({ file, function: name, line }: SummaryChange): string {
  return `${file}${line === undefined ? '' : `:${line}`}${name === undefined ? '' : ` ${name}()`}`;
}

/** Who has answered in the thread, and what they made of it. */
export function answerWords({ answers }: SummarySeries): string {
  const names = answers.by.map(nameOf);
  const shown = names.slice(0, 4).join(', ') + (names.length > 4 ? ` and ${names.length - 4} more` : '');
  const who = names.length === 0 ? 'by nobody' : shown;
  return answers.verdict === undefined ? who : `${who}; ${answers.verdict}`;
}
