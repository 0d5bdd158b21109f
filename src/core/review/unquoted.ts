/** How much of a reply's text is looked at for verdicts and commands. */
export const replyTextLimit = 64 * 1024;

/** A line that opens a copy of another mail below it, as top-posting mailers write it. */
function opensCopy(line: string): boolean {
  if (
    /^-{3,10} ?(?:original message|forwarded message|begin forwarded|ursprüngliche nachricht|message d'origine)/i.test(
      line,
    )
  )
    return true;
  return /^_{20,}\s*$/.test(line);
}

/** Outlook's header block: `From: ...` with `Sent:` or `Date:`, `To:` and `Subject:` right below it. */
function opensHeaderBlock(lines: readonly string[], at: number): boolean {
  if (!/^\*?from:\*? /i.test(lines[at] ?? '')) return false;
  const below = lines.slice(at + 1, at + 7).map((line) => line.toLowerCase().replace(/\*/g, ''));
  return below.some((line) => /^(?:sent|date):/.test(line)) && below.some((line) => /^subject:/.test(line));
}

/**
 * The lines somebody wrote himself: quoted ones, the attribution above them, the signature and a mail copied below are
 * left out. `own` are lines of the mail being answered: from the first that comes back unquoted, all is a copy.
 */
export function unquotedLines(text: string, own: ReadonlySet<string> = new Set()): string[] {
  const lines = text.slice(0, replyTextLimit).split('\n');
  const kept: string[] = [];
  for (const [at, line] of lines.entries()) {
    const bare = line.trimEnd();
    if (line === '-- ' || opensCopy(bare) || opensHeaderBlock(lines, at)) break;
    if (bare.length >= 24 && own.has(bare)) break;
    if (/^\s{0,2}>/.test(line)) continue;
    kept.push(bare);
  }
  return kept;
}
