/** Text and what had to be guessed to get it. */
export type Decoded = { readonly text: string; readonly guessed?: string };

/**
 * Bytes as text by the charset that a mail names, line ends made LF. Any name gives a text: one that is absent, absurd or
 * wrong is answered line by line with UTF-8, else ISO 8859-1, as git mailinfo does for undeclared text.
 */
export function decodeText(bytes: Uint8Array, charset: string | undefined): Decoded {
  const name = (charset ?? '').trim().toLowerCase().replace(/["']/g, '');
  if (isLatin1(name)) return { text: unixLines(Buffer.from(bytes).toString('latin1')) };
  if (/^(?:windows|cp|win)-?1252$/.test(name)) return { text: unixLines(decodeWindows1252(bytes)) };
  const decoder = isUtf8(name) ? undefined : decoderFor(name);
  if (decoder !== undefined) {
    try {
      return { text: unixLines(decoder.decode(bytes)) };
    } catch {
      // not valid in the charset it claims: read on as if it claimed none
    }
  }
  const odd = decoder === undefined && !isUtf8(name) && name !== '';
  const whole = decodeUtf8(bytes);
  if (whole !== undefined) {
    return odd
      ? { text: unixLines(whole), guessed: `charset "${name}" is unknown, read as UTF-8` }
      : { text: unixLines(whole) };
  }
  return {
    text: unixLines(decodeLines(bytes)),
    guessed: `bytes that are no ${name === '' ? 'UTF-8' : name} read as ISO 8859-1`,
  };
}

// Node's own decoder takes windows-1252 for ISO 8859-1 in some releases, so the 32 places that differ stand here.
const windows1252 =
  '\u20ac\u0081\u201a\u0192\u201e\u2026\u2020\u2021\u02c6\u2030\u0160\u2039\u0152\u008d\u017d\u008f\u0090\u2018\u2019\u201c\u201d\u2022\u2013\u2014\u02dc\u2122\u0161\u203a\u0153\u009d\u017e\u0178';

function decodeWindows1252(bytes: Uint8Array): string {
  const text = Buffer.from(bytes).toString('latin1');
  return text.replace(/[\u0080-\u009f]/g, (character) => windows1252.charAt(character.charCodeAt(0) - 0x80));
}

function isLatin1(name: string): boolean {
  return (
    name === 'iso-8859-1' || name === 'iso8859-1' || name === 'latin1' || name === 'latin-1' || name === 'iso_8859-1'
  );
}

function isUtf8(name: string): boolean {
  return (
    name === '' ||
    name === 'utf-8' ||
    name === 'utf8' ||
    name === 'us-ascii' ||
    name === 'ascii' ||
    name === 'ansi_x3.4-1968'
  );
}

/** WHATWG names, and those that mailers use beside them. */
function decoderFor(name: string): InstanceType<typeof TextDecoder> | undefined {
  const aliases: Readonly<Record<string, string>> = {
    'cp-850': 'windows-1252',
    cp936: 'gbk',
    cp949: 'euc-kr',
    cp932: 'shift_jis',
    'iso-8859-8-i': 'iso-8859-8',
    'koi8-ru': 'koi8-u',
    'ks_c_5601-1987': 'euc-kr',
    'iso-2022-jp-1': 'iso-2022-jp',
    'x-gbk': 'gbk',
    hz: 'gbk',
  };
  const windows = /^(?:cp|win|windows)-?(125[0-8]|874)$/.exec(name)?.[1];
  const label = windows === undefined ? (aliases[name] ?? name) : `windows-${windows}`;
  if (label === 'replacement' || label === 'x-user-defined') return undefined;
  try {
    return new TextDecoder(label, { fatal: true, ignoreBOM: true });
  } catch {
    return undefined;
  }
}

const strictUtf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return strictUtf8.decode(bytes);
  } catch {
    return undefined;
  }
}

function decodeLines(bytes: Uint8Array): string {
  const source = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const lines: string[] = [];
  let start = 0;
  while (start <= bytes.length) {
    const next = bytes.indexOf(10, start);
    const end = next < 0 ? bytes.length : next;
    const line = source.subarray(start, end);
    const text = line.toString('utf8');
    // No exception a line: a mail may have a million bad ones.
    lines.push(text.includes('\ufffd') ? line.toString('latin1') : text);
    start = end + 1;
    if (next < 0) break;
  }
  return lines.join('\n');
}

/** A text came in CR LF if its first line did: a footer of LF lines may follow. CRs further down alone are a DOS file's own. */
function unixLines(text: string): string {
  const first = text.indexOf('\n');
  return text[first - 1] === '\r' ? text.replaceAll('\r\n', '\n') : text;
}
