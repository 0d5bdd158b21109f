const hedges =
  /\b(?:around|about|approximately|approx\.?|roughly|nearly|almost|less than|more than|over|under|only|just|at least|at most|up to|a mere|the|a|an|some|average of|mean of)\b|[~<>≈≤≥](?![>=-])/gi;

/** A stretch of a sentence without the words that only soften a number: `to just under` is `to`. */
export function withoutHedges(gap: string): string {
  return gap
    .replace(/(?:->|=>)/g, (m) => ` ${m} `)
    .replace(hedges, (m) => (m === '>' || m === '<' ? m : ' '))
    .replace(/(?:- ?>)/g, '->')
    .replace(/\s{2,60}/g, ' ');
}
