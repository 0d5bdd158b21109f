/** What the kernel tree's own checkpatch.pl said of a mail, in its words, or why it said nothing. */
export type CheckpatchSaid =
  | { readonly ok: true; readonly messages: readonly CheckpatchWords[] }
  | { readonly ok: false; readonly reason: { readonly text: string } };

type CheckpatchWords = {
  readonly level: 'error' | 'warning' | 'check';
  readonly type: string;
  readonly text: string;
  readonly mailLine?: number;
};

/** The same for the JSON contract: `null` where it was not asked for or the mail has no patch of its own. */
export function checkpatchToJson(said: CheckpatchSaid | undefined): Record<string, unknown> | null {
  if (said === undefined) return null;
  if (!said.ok) return { problem: said.reason.text, messages: [] };
  const messages = said.messages.map(({ level, type, text, mailLine }) => ({
    level,
    type,
    text,
    mailLine: mailLine ?? null,
  }));
  return { problem: null, messages };
}
