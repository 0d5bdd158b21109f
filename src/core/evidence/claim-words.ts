import type { Claim } from './evidence.js';

type Values = {
  readonly at?: number | undefined;
  readonly before?: number;
  readonly after?: number;
  readonly factor?: number;
  readonly percent?: number;
  readonly delta?: number;
};

const faster =
  /\b(?:reduc(?:es?|ed|ing|tion)|cuts?|cutting|drops?|dropped|dropping|improv(?:es?|ed|ing|ements?)|shorten(?:s|ed|ing)?|decreas(?:es?|ed|ing)|brings?|bringing|brought|speed(?:s|ing)?[- ]?up|sped up|speedups?|sav(?:es?|ed|ing|ings)|shav(?:es?|ed|ing)|faster|quicker|sooner|earlier|shorter|lower(?:s|ed|ing)?|accelerat(?:es?|ed|ing)|optimi[sz](?:es?|ed|ing)|reclaim(?:s|ed)?|shrinks?|halv(?:es?|ed)|goes|went|falls?|fell|trim(?:s|med)?|eliminat(?:es?|ed|ing)|avoid(?:s|ed|ing)?|less)\b/i;
const slower =
  /\b(?:regress(?:es|ed|ion|ions)?|slow(?:s|ed)? down|slow-?downs?|slower|longer|increas(?:es?|ed|ing)|adds?|added|adding|delays|delayed|costs?|worse|degrad(?:es?|ed|ing|ation)|later|penalty|rises?|rose|grew|grows|los(?:es?|ing))\b/i;

/** The sentence speaks of something getting faster or slower. */
export function hasSpeedVerb(text: string): boolean {
  return faster.test(text) || slower.test(text);
}

const measuredHead =
  /\b(?:time|times|latency|latencies|duration|runtime|run-time|boot|boot-?up|start-?up|resume|suspend|probe|probing|init|initiali[sz]ation|enumeration|overhead|stall|hang|jitter|download|upload|execution|loading|throughput|shutdown|wakeup|scan|scanning)\b/gi;
const parameterHead =
  /\b(?:timeouts?|time-outs?|intervals?|periods?|delays?|polling|poll|sleeps?|m?sleep(?:\(\))?|usleep(?:_range)?|[mu]delay|debounce|autosuspend|back-?off|threshold|watchdog|retr(?:y|ies)|deadline|limit|grace period|frequency|rate|constant|default|macro|value|\w{1,40}_(?:ms|us|usec|msec|delay|timeout|interval))\b/gi;
const specification =
  /\b(?:residenc(?:y|ies)|data ?sheet|specification|spec (?:says|requires|allows)|according to the (?:spec|manual|TRM)|as per (?:the )?spec|bandwidth|clock rate)\b/i;
const measuredDelay =
  /\b(?:boot|probe|init|initiali[sz]ation|resume|suspend|start-?up|scheduling|observed|measured|total|overall|average|long|huge|shutdown|reboot)[- ](?:\w{1,12} )?delays?\b/i;
const parameterVerb =
  /^\W{0,4}(?:\w{1,30}: )?(?:lower|raise|increase|decrease|reduce|change|bump|set|extend|shorten|use)\b/i;

/** What sort of claim a sentence makes about the values found in it. */
export function claimKind(text: string, values: Values): Claim['kind'] {
  const { before, after, delta, percent, factor } = values;
  if (before !== undefined && after !== undefined) {
    const ahead = subjectOf(text, values.at);
    if (specification.test(ahead)) return 'not-a-claim';
    if (isParameter(ahead, text)) return 'parameter';
    if (after > before) return 'regression';
    return after < before ? 'improvement' : 'not-a-claim';
  }
  if (delta !== undefined) return isRegression(text, values.at) ? 'regression' : 'delta-only';
  if (percent !== undefined || factor !== undefined)
    return isRegression(text, values.at) ? 'regression' : 'improvement';
  return 'no-number';
}

/** The words that the values are said of: those before `from`, back to the last clause. */
function subjectOf(text: string, at: number | undefined): string {
  const ahead = text.slice(Math.max(0, (at ?? text.length) - 160), at);
  const clause = ahead.split(/[.;:]\s|,\s(?=which|while|and|but)/).at(-1) ?? ahead;
  return clause;
}

function isParameter(ahead: string, text: string): boolean {
  if (measuredDelay.test(ahead)) return false;
  const parameter = lastIndex(parameterHead, ahead);
  if (parameter < 0) return false;
  const measured = lastIndex(measuredHead, ahead);
  // The noun nearest to the numbers is the one they are said of, unless the patch is told to set it.
  return parameter > measured || parameterVerb.test(text);
}

function lastIndex(pattern: RegExp, text: string): number {
  let at = -1;
  for (const m of text.matchAll(pattern)) at = m.index;
  return at;
}

function isRegression(text: string, at: number | undefined): boolean {
  const near = text.slice(Math.max(0, (at ?? 0) - 80), (at ?? 0) + 60);
  const good = faster.test(near) ? near.search(faster) : Infinity;
  const bad = slower.test(near) ? near.search(slower) : Infinity;
  return bad < good;
}

const timed =
  /\b((?:[\w-]{2,24} ){0,2}(?:boot(?:[- ]?up)?|probe|probing|init|initiali[sz]ation|load(?:ing)?|resume|suspend|start-?up|reset|setup|scan|enumeration|detection|download|execution|run|transfer|response|shutdown|reboot|wait)[- ]?(?:time|times|duration|latency|delay))\b/i;
const timedShort =
  /\b((?:[\w-]{2,24} )?(?:latency|latencies|runtime|run-time|duration|time|times|delay|boot|interval|timeout|period|overhead))\b/i;

/** What the time is the time of, in the sentence's own words. */
export function claimWhat(text: string, at: number | undefined): string {
  const ahead = text.slice(Math.max(0, (at ?? text.length) - 160), at ?? text.length);
  for (const part of [ahead, text]) {
    const found = timed.exec(part)?.[1] ?? timedShort.exec(part)?.[1];
    if (found !== undefined)
      return found
        .replace(
          /^(?:(?:the|this|that|improves|reduces|decreases|of|a|our|total|in|by|and|saves|cuts|from|to|is|it|on) )+/i,
          '',
        )
        .slice(0, 60);
  }
  return 'time';
}

const qualitative =
  /\b(?:boot|probe|init(?:iali[sz]ation)?|resume|suspend|start-?up|driver load(?:ing)?|shutdown|reboot|load)(?:ing|-?up)?[- ]?(?:times?|latency|duration|speed|performance)?\b/i;
const vague = /\b(?:tens|hundreds|thousands|several|a few|many|couple) (?:of )?(?:nano|micro|milli)?seconds?\b/i;
const quickly =
  /\b(?:reduc(?:es?|ed)|improv(?:es?|ed)|speeds? up|shorten(?:s|ed)?|decreas(?:es?|ed)|faster|quicker|slows? down|slower|delays|accelerates?)\b/i;

/** Claims a change of time without a number that could be checked. */
export function isQualitative(text: string): boolean {
  return (
    quickly.test(text) &&
    (vague.test(text) ||
      (qualitative.test(text) && /\b(?:times?|latency|faster|slower|speeds? up|quicker|boot)\b/i.test(text)))
  );
}
