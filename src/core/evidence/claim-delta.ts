import { withoutHedges } from './claim-hedge.js';
import { hasSpeedVerb } from './claim-words.js';
import { inUnitOf, type Quantity } from './quantity.js';

const savingVerb =
  /\b(?:sav(?:es?|ed|ings?)|shav(?:es?|ed|ing)|reclaim(?:s|ed)?|gain(?:s|ed)?|wins?|cuts?|cutting|drop(?:s|ped)?|trims?|add(?:s|ed|ing)?|costs?|wast(?:es?|ed|ing)|los(?:es?|ing)|recover(?:s|ed)?|regress(?:es|ed)?|giv(?:es?|ing) (?:us )?back|gets? (?:us )?back|tak(?:es?|ing) (?:an? )?(?:extra|additional|further))(?: (?:us|me|you|off|away|up|it|another|easily|roughly|a little|a bit|slightly|as much as|a total of|a whopping|a further|an additional|an extra))?(?: of)?[\s~<>(]{1,3}$/i;
const byWord =
  /\b(?:by|savings? (?:of|is|was|are|were)|(?:reduction|improvement|decrease|drop|gain|regression|increase|slowdown|speed-?up|difference) (?:of|is|was)|(?:boot|startup|start-up|probe|resume) (?:time )?(?:delay|penalty) of|time with|(?:savings?|improvement|reduction|gain|speed-?up|regression) ?[:=]|(?:introduc(?:es?|ed|ing)|caus(?:es?|ed|ing)|results? in) (?:an? )?(?:\w{1,14} ){0,2}(?:delay|stall|hang|penalty|overhead) of|(?:delay(?:s|ed|ing)?|stall(?:s|ed|ing)?|block(?:s|ed|ing)?|hangs?|holds? up) (?:the |system |kernel |whole ){0,3}(?:boot|start-?up|probe|resume|init\w{0,12}|shutdown)\w{0,3} for)(?: (?:the|a|an|another|easily|as much as|a total of|a full|a whole|a further))?[\s~<>(]{1,3}$/i;
const afterWord =
  /^(?:[-\s](?:(?!or |and )\w{1,14}\s)?(?:faster|quicker|shorter|less|sooner|earlier|slower|longer|later|reduction|improvement|savings?|saved|speed-?up|regression|decrease|slow-?down)\b| (?:of|in) (?:boot(?:[- ]time)? )?(?:savings?|improvement)\b| off\b| (?:is|are|was|were|gets?|got) (?:saved|shaved off|added)\b)/i;
/** `add a 30 ms delay` changes a wait; it claims nothing about how long something takes. */
const isSetting =
  /^[-\s](?:\w{1,14} ){0,2}(?:delay|sleep|wait|timeout|time-out|cap|limit|period|interval|pause|udelay|msleep|margin|hysteresis)\b/i;
/** `100 ms less in msleep()`. */
const lessOf = /^[-\s](?:less|more|longer|shorter|faster|slower) (?:in|for|on|at|of)\b/i;
const weakBefore =
  /\b(?:avoid(?:s|ed|ing)?|eliminat(?:es?|ed|ing)|remov(?:es?|ed|ing)|skip(?:s|ped|ping)?|gets? rid of|getting rid of)\b[^.;,]{0,40}$/i;
const weakAfter = /^[-\s](?:\w{1,14} ){0,2}(?:delay|wait|stall|sleep|pause|hang|timeout|penalty|overhead|latency)\b/i;

/** The times of a sentence that are a difference: saved, lost, or what something got faster or slower by. */
export function findDeltas(text: string, times: readonly Quantity[], bare: readonly Quantity[]): Quantity[] {
  if (times.length === 0) return [];
  const strong = times
    .map((q) => withRange(q, bare, text))
    .filter((q) => {
      const ahead = withoutHedges(text.slice(Math.max(0, q.start - 80), q.start));
      const behind = text.slice(q.end, q.end + 50).replace(/^\s?\([^()]{1,20}\)/, '');
      if (isSetting.test(behind) && !lessOf.test(behind)) return false;
      if (afterWord.test(behind))
        return !/^[-\s]\w{0,14} ?(?:less|longer|shorter) than .{0,20}(?:requested|actual|needed|asked)/i.test(behind);
      if (/\b(?:by|every|each|per)[\s~]{1,3}$/i.test(ahead) && !hasSpeedVerb(text)) return false;
      return savingVerb.test(`${ahead} `) || byWord.test(`${ahead} `);
    });
  if (strong.length > 0) return strong;
  return times.filter(
    (q) =>
      hasSpeedVerb(text) &&
      weakBefore.test(text.slice(Math.max(0, q.start - 60), q.start)) &&
      weakAfter.test(text.slice(q.end, q.end + 60)),
  );
}

/** `saves 5 to 10 ms`: the number before is the lower end, in the same unit; `from 5 to 10 ms` never comes here. */
function withRange(q: Quantity, bare: readonly Quantity[], text: string): Quantity {
  const low = bare.find((b) => b.end < q.start && /^ (?:to|or|and) $/.test(text.slice(b.end, q.start)));
  if (low === undefined || q.low !== q.high || /\bfrom\s$/i.test(withoutHedges(text.slice(0, low.start)))) return q;
  const { low: value } = inUnitOf(low, q, text);
  return value < q.low ? { ...q, low: value, start: low.start } : q;
}
