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
  /\b(?:reduc(?:es?|ed|ing|tion)|cuts?|cutting|drops?|dropped|dropping|improv(?:es?|ed|ing|ements?)|shorten(?:s|ed|ing)?|decreas(?:es?|ed|ing)|brings?|bringing|brought|speed(?:s|ing)?[- ]?up|sped up|speedups?|sav(?:es?|ed|ing|ings)|shav(?:es?|ed|ing)|faster|quicker|sooner|earlier|shorter|lower(?:s|ed|ing)?|accelerat(?:es?|ed|ing)|optimi[sz](?:es?|ed|ing)|reclaim(?:s|ed)?|shrinks?|halv(?:es?|ed)|goes|went|falls?|fell|trim(?:s|med)?|eliminat(?:es?|ed|ing)|avoid(?:s|ed|ing)?|remov(?:es?|ed|ing)|skip(?:s|ped|ping)?|rid of|less|twice as fast|fold|down (?:by )?~?\d{1,4})\b/i;
const slower =
  /\b(?:regress(?:es|ed|ion|ions)?|slow(?:s|ed)? down|slow-?downs?|slower|longer|increas(?:es?|ed|ing)|adds?|added|adding|delays|delayed|costs?|worse|degrad(?:es?|ed|ing|ation)|later|penalty|wast(?:es?|ed|ing)|extra|additional|rises?|rose|grew|grows|los(?:es?|ing)|(?:twice|times|thrice) as (?:long|slow)|stall(?:s|ed|ing)?|introduc(?:es?|ed|ing))\b/i;

/** The sentence speaks of something getting faster or slower. */
export function hasSpeedVerb(text: string): boolean {
  return faster.test(text) || slower.test(text);
}

const measuredHead =
  /\b(?:time|times|latency|latencies|duration|runtime|run-time|boot|boot-?up|start-?up|resume|suspend|probe|probing|init|initiali[sz]ation|enumeration|overhead|stall|hang|jitter|download|upload|execution|loading|throughput|shutdown|wakeup|scan|scanning)\b/gi;
const parameterHead =
  /\b(?:timeouts?|time-outs?|intervals?|periods?|delays?|polling|poll|m?sleep(?:\(\))?|sleeps|sleeping|usleep(?:_range)?|waits?|pause|[mu]delay|debounce|autosuspend|back-?off|threshold|watchdog|retr(?:y|ies)|deadline|limit|cap|bump|bumped|keepalive|heartbeat|slice|slack|hysteresis|window|frequency|rate|constant|default|macro|value|hard-?coded)\b/gi;
/** Times that somebody sets: `polling time`, `debounce period`, `NOP_OUT_TIMEOUT`. */
const parameterTerm =
  /\b(?:poll(?:ing)?|sleep(?:ing)?|sampl(?:e|ing)|refresh|update|debounce|hold|settl(?:e|ing)|stabili[sz]ation|ramp|retry|idle|guard|autosuspend|grace|back-?off|expiry|aging|stop delay|transition)[- ](?:time|period|interval|duration|length|delay|value|cycle|rate|latency)s?\b|\b[A-Z][A-Z0-9]{0,30}_[A-Z0-9_]{1,50}\b|\b\w{1,40}_(?:ms|us|usecs?|msecs?|delay|timeout|interval|period|jiffies)\b/g;
const setVerb =
  /\b(?:chang(?:e|es|ed|ing)|set|sets|setting|extend(?:s|ed|ing)?|adjust(?:s|ed|ing)?|bump(?:s|ed|ing)?|rais(?:e|es|ed|ing)|configur(?:e|es|ed|ing)|tun(?:e|es|ed|ing)|switch(?:es|ed|ing)?|replac(?:e|es|ed|ing))\b/i;
const specification =
  /\b(?:residenc(?:y|ies)|data ?sheet|specification|spec (?:says|requires|allows)|according to the (?:spec|manual|TRM)|as per (?:the )?spec|bandwidth|clock rate)\b/i;
/** `takes`, `time spent polling`: said of what was seen, whatever noun stands beside it. */
const measuredVerb =
  /\b(?:tak(?:es?|ing)|took|spends?|spent|lasts?|lasted|completes?|finish(?:es|ed)?)\b[^.;]{0,20}$|\btime (?:spent|taken|needed)\b/i;
const measuredDelay =
  /\b(?:boot|probe|init|initiali[sz]ation|resume|suspend|start-?up|scheduling|observed|measured|total|overall|average|long|huge|shutdown|reboot)[- ](?:\w{1,12} )?delays?\b/i;
const parameterVerb =
  /^\W{0,4}(?:\w{1,30}: )?(?:lower|raise|increase|decrease|reduce|change|bump|set|extend|shorten|double|halve|use)\b/i;

/** What sort of claim a sentence makes about the values found in it. */
export function claimKind(text: string, values: Values): Claim['kind'] {
  const { before, after, delta, percent, factor } = values;
  if (before !== undefined && after !== undefined) {
    const ahead = subjectOf(text, values.at);
    if (specification.test(ahead)) return 'not-a-claim';
    if (isParameter(ahead, text) || isSetBehind(text, values.at)) return 'parameter';
    if (after > before) return 'regression';
    return after < before ? 'improvement' : 'not-a-claim';
  }
  if (delta !== undefined) {
    // `increase the timeout by 20 ms`; what is saved or added was measured.
    const ahead = subjectOf(text, values.at);
    if (/\bby[\s~]{1,3}$/i.test(ahead) && isParameter(ahead, text)) return 'parameter';
    return isRegression(text, values.at) ? 'regression' : 'delta-only';
  }
  if (percent !== undefined || factor !== undefined)
    return isRegression(text, values.at) ? 'regression' : 'improvement';
  return vague.test(text) ? 'delta-only' : 'no-number';
}

/** The words that the values are said of: those before `from`, back to the last clause. */
function subjectOf(text: string, at: number | undefined): string {
  const ahead = text.slice(Math.max(0, (at ?? text.length) - 160), at);
  const clauses = ahead.split(/[.;]\s|:\s|,\s(?=which|while|and|but)/).filter((c) => /[a-z]{3}/i.test(c));
  return clauses.at(-1) ?? ahead;
}

/**
 * A value that somebody sets, not a time that somebody measured: the noun nearest to the numbers tells, unless a verb of
 * setting does (`change the wait time from`).
 */
function isParameter(ahead: string, text: string): boolean {
  if (measuredDelay.test(ahead) || measuredVerb.test(ahead)) return false;
  const term = lastIndex(parameterTerm, ahead);
  const parameter = Math.max(lastIndex(parameterHead, ahead), term);
  const measured = lastIndex(measuredHead, ahead);
  if (parameter < 0) return measured < 0 && setVerb.test(ahead);
  if (parameter > measured || parameterVerb.test(text)) return true;
  // `polling time`: its `time` is part of the term.
  if (term >= 0 && measured > term && ahead.slice(term, measured).split(/\s/).length <= 2) return true;
  return setVerb.test(ahead) && measured - parameter < 16;
}

/** `a 1 ms sleep instead of 10 ms`: the noun stands behind its number. */
function isSetBehind(text: string, at: number | undefined): boolean {
  return /^[~<> \d.,]{1,16}[\s-]?[a-zµμ]{1,12}[-\s](?:\w{1,12} )?(?:sleep|delay|poll(?:ing)?|interval|timeout|period|pause|[mu]delay|wait)s?\b/i.test(
    text.slice(at ?? text.length),
  );
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

const leading =
  /^(?:(?:the|this|that|these|an?|our|my|total|in|by|and|or|of|off|for|on|at|to|from|is|it|we|be|during|every|each|with|without|system|per|takes?|took|longer|improv(?:es?|ed|ements?)|reduc(?:es?|ed|tions?|ing)|decreas(?:es?|ed|ing)|increas(?:es?|ed|ing)|sav(?:es?|ed|ings?)|cuts?|drops?|lower(?:s|ed)?|regress(?:es)?|speeds?|shortens?|seconds|milliseconds|\S{0,20}\d\S{0,20}) )+/i;

/** What the time is the time of, in the sentence's own words. */
export function claimWhat(text: string, at: number | undefined): string {
  const ahead = text.slice(Math.max(0, (at ?? text.length) - 160), at ?? text.length);
  for (const part of [ahead, text]) {
    const found = timed.exec(part)?.[1] ?? timedShort.exec(part)?.[1];
    if (found === undefined) continue;
    const what = found.replace(leading, '').slice(0, 60);
    if (what !== '') return what;
  }
  return 'time';
}

const qualitative =
  /\b(?:boot|probe|init(?:iali[sz]ation)?|resume|suspend|start-?up|driver load(?:ing)?|shutdown|reboot|load)(?:ing|-?up)?[- ]?(?:times?|latency|duration|speed|performance)?\b/i;
const vague = /\b(?:tens|hundreds|thousands|dozens|several|a few|many|couple) (?:of )?(?:nano|micro|milli)?seconds?\b/i;
const quickly =
  /\b(?:sav(?:es?|ed|ing)|reduc(?:es?|ed)|improv(?:es?|ed)|speeds? up|shorten(?:s|ed)?|decreas(?:es?|ed)|faster|quicker|slows? down|slower|delays|accelerates?)\b/i;

/** Claims a change of time without a number that could be checked. */
export function isQualitative(text: string): boolean {
  return (
    quickly.test(text) &&
    (vague.test(text) ||
      (qualitative.test(text) && /\b(?:times?|latency|faster|slower|speeds? up|quicker|boot)\b/i.test(text)))
  );
}

/** The sentence speaks of time at all, not of sizes, rates or power. */
export function isAboutTime(text: string): boolean {
  const other =
    /\b(?:size|memory|throughput|iops|bandwidth|power|energy|battery|bytes?|[KMG]i?B(?:\/s)?|code|bitrate|packets?|cpu usage|utili[sz]ation|cost|accuracy)\b/i;
  const time =
    /\b(?:time|times|latency|latencies|boot|booting|boots|start-?up|starts|resume|suspend|probe|probing|init|initiali[sz]ation|faster|slower|quicker|speed|duration|runtime|load|loading|performance)\b/i;
  return time.test(text) && !other.test(text);
}
