import type { DelayChange } from '../delay/index.js';
import type { Estimate } from '../estimate/index.js';
import type { JudgedFinding, Review } from '../review/index.js';

/** One thing that a reply talks about: quoted lines, the estimate for them, the findings on them. */
export type Topic = {
  readonly quote: readonly string[];
  readonly changes: readonly DelayChange[];
  readonly estimate?: Estimate;
  readonly findings: readonly JudgedFinding[];
};

const mostTopics = 3;
const mostQuoted = 6;

/** The weightiest things first: those with a finding, then those with the largest effect. The same change at several places is one. */
export function pickTopics(review: Review): Topic[] {
  const groups = new Map<string, number[]>();
  for (const [index, change] of review.changes.entries()) {
    if (change.effect === 'moved') continue;
    const key = [change.patch, change.file, change.before?.text, change.after?.text].join('\n');
    groups.set(key, [...(groups.get(key) ?? []), index]);
  }
  const topics = [...groups.values()].map((indexes) => topicOf(indexes, review));
  const spoken = topics.filter((t) => t.estimate !== undefined || t.findings.length > 0);
  return spoken.sort((a, b) => weight(b) - weight(a)).slice(0, mostTopics);
}

function topicOf(indexes: readonly number[], review: Review): Topic {
  const changes = indexes.map((i) => review.changes[i]).filter((c) => c !== undefined);
  const quote: string[] = [];
  for (const line of changes[0]?.quote ?? []) if (quote.length < mostQuoted) quote.push(line);
  return {
    quote,
    changes,
    estimate: review.estimates.find((e) => indexes.includes(e.change)),
    findings: review.findings.filter(
      (f) => f.state === 'sent' && !f.nit && f.change !== undefined && indexes.includes(f.change),
    ),
  };
}

function weight(topic: Topic): number {
  const effect =
    topic.estimate === undefined ? 0 : Math.max(Math.abs(topic.estimate.saved.likely), topic.estimate.saved.max);
  // An hour: no effect outweighs a risk.
  return effect + topic.findings.length * 3.6e12;
}
