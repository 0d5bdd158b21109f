import mailparser from 'mailparser';
import type { AttachmentStream, StructuredHeader } from 'mailparser';

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
  readonly subject?: string;
  readonly rootType: string;
  readonly parts: readonly MimePart[];
  readonly failed?: string;
};

/** Takes a mail apart; `bytes` start at the first header field. Never rejects. */
export function readMimeParts(bytes: Uint8Array): Promise<MimeTree> {
  return new Promise((resolve) => {
    const parser = new mailparser.MailParser({
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
    let subject: string | undefined;
    let rootType = 'text/plain';
    parser.on('headers', (headers) => {
      const value = headers.get('subject');
      if (typeof value === 'string') subject = value;
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
        ...(subject === undefined ? {} : { subject }),
        ...(failed === undefined ? {} : { failed }),
      });
    };
    parser.on('end', () => finish());
    parser.on('error', (error: Error) => finish(error.message));
    parser.end(bytes);
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
    type: (header?.value || 'text/plain').toLowerCase().trim(),
    params: header?.params ?? {},
    bytes,
    ...(item.contentDisposition ? { disposition: item.contentDisposition.toLowerCase() } : {}),
    ...(typeof name === 'string' && name !== '' ? { name } : {}),
  };
}

function structured(value: unknown): StructuredHeader | undefined {
  return typeof value === 'object' && value !== null && 'params' in value && 'value' in value
    ? (value as StructuredHeader) // the library's own union, told apart by its fields
    : undefined;
}
