import { markup, type Markup } from './markup.js';

/** Units of a picture's own: narrow, so that its words can be read on a telephone. */
export const pictureWidth = 420;

/** An SVG that stands in the page itself: no fonts, files or scripts; `label` is read aloud in its place. */
export function picture(height: number, label: string, body: Markup | readonly Markup[]): Markup {
  return markup`<svg viewBox="0 0 ${pictureWidth} ${height}" role="img" aria-label="${label}">
${body}</svg>
`;
}

export function figure(drawn: Markup, caption: string): Markup {
  return markup`<figure>\n${drawn}<figcaption>${caption}</figcaption>\n</figure>\n`;
}

/** A coordinate with one decimal. */
export function at(value: number): string {
  return String(Math.round(value * 10) / 10);
}

export type Tick = { readonly at: number; readonly name: string };

/** The line along the bottom with its ticks; names at the ends are turned inward. */
export function bottomAxis(ticks: readonly Tick[], y: number, [left, right]: readonly [number, number]): Markup {
  const marks = ticks.map((tick) => {
    const side = tick.at < left + 24 ? 'start' : tick.at > right - 24 ? 'end' : 'middle';
    return markup`<line class="axis" x1="${at(tick.at)}" x2="${at(tick.at)}" y1="${at(y)}" y2="${at(y + 4)}"/><text x="${at(tick.at)}" y="${at(y + 17)}" text-anchor="${side}">${tick.name}</text>\n`;
  });
  return markup`<line class="axis" x1="${at(left)}" x2="${at(right)}" y1="${at(y)}" y2="${at(y)}"/>\n${marks}`;
}

/** Lines across with their names at the left. */
export function leftAxis(ticks: readonly Tick[], [left, right]: readonly [number, number]): Markup {
  return {
    html: ticks
      .map(
        (tick) =>
          markup`<line class="axis" x1="${at(left)}" x2="${at(right)}" y1="${at(tick.at)}" y2="${at(tick.at)}"/><text x="${at(left - 6)}" y="${at(tick.at + 4)}" text-anchor="end">${tick.name}</text>\n`
            .html,
      )
      .join(''),
  };
}

/** Ticks whose names would touch are thinned out: every second, third... is kept. */
export function thinned(ticks: readonly Tick[], room: number): Tick[] {
  const sorted = [...ticks].sort((a, b) => a.at - b.at);
  const kept: Tick[] = [];
  for (const tick of sorted) {
    const last = kept.at(-1);
    if (last === undefined || tick.at - last.at >= room) kept.push(tick);
  }
  return kept;
}
