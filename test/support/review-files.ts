import type { Mail } from '../../src/shell/cli/read-batch.js';
import { dryRunReply, reviewAll, type Reviewed } from '../../src/shell/cli/review-run.js';
import { openKnowledge } from '../../src/shell/config/index.js';
import { openSources } from '../../src/shell/source/index.js';

/** Reviews of the mails of some files, through the same code as `reveille review`. */
export async function* reviewEach(
  paths: readonly string[],
  options: { crlf?: boolean } = {},
): AsyncGenerator<Reviewed> {
  yield* reviewAll(mails(paths, options.crlf ?? false), await openKnowledge(), {
    seed: 1,
    reply: dryRunReply,
    all: true,
    onStuck: () => undefined,
  });
}

/** All replies as one text. */
export async function reviewFiles(paths: readonly string[], options: { crlf?: boolean } = {}): Promise<string> {
  const said: string[] = [];
  for await (const { review, reply } of reviewEach(paths, options)) {
    const head = `### ${review.message.subject}\n`;
    if (reply === undefined) {
      said.push(`${head}silent: ${review.decision.reasons.join(', ')}\n`);
    } else {
      const to = [...reply.to, ...reply.cc].map((a) => a.address).join(', ');
      said.push(`${head}To: ${to}\nSubject: ${reply.subject}\n\n${reply.body}`);
    }
  }
  return said.join('\n');
}

async function* mails(paths: readonly string[], crlf: boolean): AsyncGenerator<Mail> {
  for await (const mail of openSources(paths, { onProblem: fail })) {
    if (!crlf) yield mail;
    else
      yield {
        ...mail,
        bytes: Buffer.from(Buffer.from(mail.bytes).toString('latin1').replace(/\r?\n/g, '\r\n'), 'latin1'),
      };
  }
}

function fail(problem: Error): void {
  throw problem;
}
