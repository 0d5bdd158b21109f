import type { AttachmentStream, StructuredHeader } from 'mailparser';
import { scanHead, type Head } from './head.js';

/** A leaf of the MIME tree: transfer encoding undone, charset not. */
export type MimePart = {
  readonly type: string;
  readonly params: Readonly<Record<string, string>>;
  readonly disposition?: string;
  readonly name?: string;
  readonly bytes: Uint8Array;
};

/** What the MIME parser found; `failed` says why it stopped early. */
export type MimeTree = {
  readonly rootType: string;
  readonly parts: readonly MimePart[];
  readonly failed?: string;
};

/** Takes a mail apart by its header and the bytes of its body. Never rejects. */
export async function readMimeParts(head: Head, body: Uint8Array): Promise<MimeTree> {
  const plain = plainPart(head, body);
  return plain === undefined ? parseWithLibrary(mimeFields(head), body) : { rootType: 'text/plain', parts: [plain] };
}

// Only what shapes the body goes to the library: taking apart addresses and signatures nobody asks for costs most of the time.
const mimeNames = ['mime-version', 'content-type', 'content-transfer-encoding', 'content-disposition'];

function mimeFields(head: Head): string[] {
  return mimeNames.flatMap((name) => firstField(head, name));
}

function firstField(head: Head, name: string): string[] {
  const value = head.values.get(name)?.[0];
  return value === undefined ? [] : [`${name}: ${value.slice(0, 65536)}`];
}

// No quoting, comments, continuations or encoded words: nothing that needs a MIME parser.
const simpleParam = /^[ \t]*([a-z-]+)[ \t]*=[ \t]*(?:"([^"\\%*=?]*)"|([\w.:+/-]+))[ \t]*$/i;

/**
 * The only part of a mail that is plain text, sent as it is or in base64 that nothing strange stands in; undefined where the library has
 * something to undo.
 */
function plainPart(head: Head, body: Uint8Array): MimePart | undefined {
  const value = (name: string): string | undefined => head.values.get(name)?.[0];
  const disposition = value('content-disposition')?.toLowerCase();
  if (disposition !== undefined && disposition !== 'inline') return undefined;
  const [type = '', ...rest] = (value('content-type') ?? 'text/plain').split(';');
  if (type.trim().toLowerCase() !== 'text/plain') return undefined;
  const params: Record<string, string> = {};
  for (const text of rest) {
    if (text.trim() === '') continue;
    const found = simpleParam.exec(text);
    const name = found?.[1]?.toLowerCase();
    if (
      found === null ||
      name === undefined ||
      name in params ||
      !['charset', 'format', 'delsp', 'reply-type'].includes(name)
    )
      return undefined;
    params[name] = found[2] ?? found[3] ?? '';
  }
  const bytes = undone(value('content-transfer-encoding')?.toLowerCase() ?? '7bit', body);
  if (bytes === undefined) return undefined;
  return { type: 'text/plain', params, bytes, ...(disposition === undefined ? {} : { disposition }) };
}

/** A body without its transfer encoding (RFC 2045 section 6), where undoing it leaves nothing to choose. */
function undone(encoding: string, body: Uint8Array): Uint8Array | undefined {
  if (['7bit', '8bit', 'binary', ''].includes(encoding)) return body;
  if (encoding !== 'base64') return undefined;
  const text = Buffer.from(body.buffer, body.byteOffset, body.length).toString('latin1');
  return /^[A-Za-z0-9+/\r\n]*(?:={1,2}[\r\n]*)?$/.test(text) ? Buffer.from(text, 'base64') : undefined;
}

// Most mails of a list are plain, and the library takes as long to load as a patch to review.
let library: ReturnType<typeof loadLibrary> | undefined;

function loadLibrary() {
  return import('mailparser');
}

async function parseWithLibrary(fields: readonly string[], body: Uint8Array): Promise<MimeTree> {
  const { MailParser } = await (library ??= loadLibrary());
  return new Promise((resolve) => {
    const parser = new MailParser({
      skipHtmlToText: true,
      skipTextToHtml: true,
      skipImageLinks: true,
      skipTextLinks: true,
      checksumAlgo: false,
      // A nested mail is read by ourselves, with our own bound on the depth.
      ignoreEmbedded: true,
    });
    // With no type counted as text every leaf comes as an attachment with its raw bytes: the parser would unflow
    // format=flowed, join parts and replace bytes, and each of these ruins a diff. test/mail/fidelity.test.ts holds this.
    Object.assign(parser, { textTypes: [] });
    const parts: MimePart[] = [];
    let rootType = 'text/plain';
    parser.on('headers', (headers) => {
      rootType = structured(headers.get('content-type'))?.value.toLowerCase() || rootType;
    });
    parser.on('data', (item) => {
      if (item.type !== 'attachment') return;
      collect(item, (content) => parts.push(partOf(item, content)));
    });
    const finish = (failed?: string): void => {
      resolve({
        rootType,
        parts,
        ...(failed === undefined ? {} : { failed }),
      });
    };
    parser.on('end', () => finish());
    parser.on('error', (error: Error) => finish(error.message));
    parser.write(Buffer.from(`${fields.join('\r\n')}\r\n\r\n`, 'utf8'));
    parser.end(body);
  });
}

function collect(item: AttachmentStream, done: (content: Uint8Array) => void): void {
  const chunks: Buffer[] = [];
  item.content.on('data', (chunk: Buffer) => chunks.push(chunk));
  item.content.on('error', () => item.release?.());
  item.content.on('end', () => {
    done(chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks));
    item.release?.();
  });
}

function partOf(item: AttachmentStream, bytes: Uint8Array): MimePart {
  const header = structured(item.headers.get('content-type'));
  const name = item.filename ?? header?.params['name'];
  return {
    type: (header?.value || untyped(bytes)).toLowerCase().trim(),
    params: header?.params ?? {},
    bytes,
    ...(item.contentDisposition ? { disposition: item.contentDisposition.toLowerCase() } : {}),
    ...(typeof name === 'string' && name !== '' ? { name } : {}),
  };
}

/** A part that names no type is text, but in a digest it is a mail (RFC 2046 section 5.1.5), and begins like one. */
function untyped(bytes: Uint8Array): string {
  const { values } = scanHead(bytes.subarray(0, 65536));
  return values.has('message-id') && values.has('from') ? 'message/rfc822' : 'text/plain';
}

function structured(value: unknown): StructuredHeader | undefined {
  return typeof value === 'object' && value !== null && 'params' in value && 'value' in value
    ? (value as StructuredHeader) // the library's own union, told apart by its fields
    : undefined;
}
