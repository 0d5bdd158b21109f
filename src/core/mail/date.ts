const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const zones: Readonly<Record<string, number>> = {
  EST: -300,
  EDT: -240,
  CST: -360,
  CDT: -300,
  MST: -420,
  MDT: -360,
  PST: -480,
  PDT: -420,
};

const stamp = /(\d{1,2})[ -]([a-z]{3})[a-z]*[ -](\d{2,4}),?\s+(\d{1,2}):(\d{2})(?::(\d{2}))?/i;

/** A Date header as ISO 8601 in UTC; undefined if it is none (RFC 5322 section 3.3, with the obsolete forms of 4.3). */
export function parseDate(value: string): string | undefined {
  const text = value.slice(0, 200).replace(/\s+/g, ' ');
  const found = stamp.exec(text);
  if (found === null) return undefined;
  const [whole, day = '', monthName = '', yearText = '', hour = '', minute = '', second = '0'] = found;
  const month = months.indexOf(monthName.toLowerCase());
  const year = fullYear(Number(yearText), yearText.length);
  const inRange = month >= 0 && Number(hour) < 24 && Number(minute) < 60 && Number(second) <= 60;
  if (!inRange || Number(day) < 1 || Number(day) > 31 || year < 1970 || year > 2200) return undefined;
  const at = Date.UTC(year, month, Number(day), Number(hour), Number(minute), Number(second));
  return new Date(at - zoneMinutes(text.slice(found.index + whole.length)) * 60_000).toISOString();
}

/** Two and three digits: RFC 5322 section 4.3. */
function fullYear(year: number, digits: number): number {
  if (digits === 2) return year < 50 ? 2000 + year : 1900 + year;
  return digits === 3 ? 1900 + year : year;
}

function zoneMinutes(rest: string): number {
  const numeric = /^ ?([+-])(\d{2}):?(\d{2})/.exec(rest);
  if (numeric !== null) {
    const minutes = Number(numeric[2]) * 60 + Number(numeric[3]);
    return minutes > 24 * 60 ? 0 : numeric[1] === '-' ? -minutes : minutes;
  }
  const name = /^ ?([A-Z]{3})\b/.exec(rest)?.[1] ?? '';
  return zones[name] ?? 0;
}
