// What mail programs put before the subject of an answer, in the languages seen on kernel lists.
const replyWords = new Set(
  're aw sv antw antwort odp ynt vs res ref 回复 答复 回覆 答覆 回信 返信 답장 отв ответ re(2) re2'.split(' '),
);
const forwardWords = new Set('fwd fw wg tr rv i vl enc doorst 转发 轉寄 轉發 转寄'.split(' '));

/** Whether a decoded subject says that the mail is an answer: `Re:`, `AW:`, `回复:`, also after list tags (`[kbuild] Re: ...`). */
export function isReplySubject(subject: string): boolean {
  return leading(subject).words.includes('reply');
}

/** Whether a decoded subject says that the mail is forwarded and no answer. */
export function isForwardSubject(subject: string): boolean {
  return leading(subject).words[0] === 'forward';
}

/** The subject without answer and forward words and the list tags before them. */
export function stripReplyPrefixes(subject: string): string {
  return leading(subject).rest;
}

/** The words inside the leading brackets of a subject, `[PATCH net-next v2 1/3]` as four. */
export function bracketWords(subject: string): string[] {
  const words: string[] = [];
  let rest = leading(subject).rest;
  while (rest.startsWith('[')) {
    const close = rest.indexOf(']');
    if (close < 0) break;
    words.push(...rest.slice(1, close).split(/[\s,]+/));
    rest = rest.slice(close + 1).trimStart();
  }
  return words.filter((word) => word !== '');
}

function leading(subject: string): { readonly words: readonly ('reply' | 'forward')[]; readonly rest: string } {
  const words: ('reply' | 'forward')[] = [];
  let rest = subject.trimStart();
  // A subject of nothing but prefixes is cut short here; nobody answers that deep.
  for (let round = 0; round < 50; round++) {
    const bare = afterListTags(rest);
    const word = wordBeforeColon(bare);
    if (word === undefined) break;
    words.push(word.kind);
    rest = bare.slice(word.length).trimStart();
  }
  return { words, rest };
}

/** Skips `[list]` tags that stand before an answer word; a tag that says PATCH belongs to the title. */
function afterListTags(text: string): string {
  let rest = text;
  while (rest.startsWith('[')) {
    const close = rest.indexOf(']');
    if (close < 0 || /patch|rfc|pull/i.test(rest.slice(0, close))) return text;
    rest = rest.slice(close + 1).trimStart();
  }
  return wordBeforeColon(rest) === undefined ? text : rest;
}

function wordBeforeColon(text: string): { readonly kind: 'reply' | 'forward'; readonly length: number } | undefined {
  const head = text.slice(0, 16);
  const colon = head.search(/[:：]/);
  if (colon < 1) return undefined;
  // `Re[2]:`, `Re(3):`, `RE^2:` count the answers.
  const word = head
    .slice(0, colon)
    .trim()
    .toLowerCase()
    .replace(/(?:\[\d{1,3}\]|\(\d{1,3}\)|\^\d{1,3})$/, '')
    .trim();
  if (replyWords.has(word)) return { kind: 'reply', length: colon + 1 };
  return forwardWords.has(word) ? { kind: 'forward', length: colon + 1 } : undefined;
}
