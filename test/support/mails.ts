/** What a test says of a mail; the rest is Ada's. */
export type MailText = {
  readonly id: string;
  readonly subject: string;
  readonly body: string;
  readonly from?: string;
  readonly to?: string;
  readonly cc?: string;
  readonly date?: number;
  readonly list?: string;
  readonly parents?: readonly string[];
  readonly headers?: readonly string[];
};

/** A mail as it comes through a list, with invented people. */
export function mailText(mail: MailText): string {
  const { id, subject, body, from = 'Ada Dev <ada@example.org>', to = 'wake@lists.example.org' } = mail;
  const parents = (mail.parents ?? []).map((parent) => `<${parent}@example.org>`);
  const list = mail.list ?? 'wake.lists.example.org';
  return [
    `Message-ID: <${id}@example.org>`,
    `Date: ${new Date(mail.date ?? Date.UTC(2026, 0, 5, 9)).toUTCString().replace('GMT', '+0000')}`,
    `From: ${from}`,
    `To: ${to}`,
    ...(mail.cc === undefined ? [] : [`Cc: ${mail.cc}`]),
    `Subject: ${subject}`,
    ...(list === '' ? [] : [`List-Id: Wakeful drivers <${list}>`]),
    ...(parents.length === 0 ? [] : [`In-Reply-To: ${parents.at(-1) ?? ''}`, `References: ${parents.join(' ')}`]),
    ...(mail.headers ?? []),
    'Content-Type: text/plain; charset=UTF-8',
    '',
    body,
  ].join('\n');
}

/** The body of a patch that makes one driver sleep less. */
export function patchBody(
  file = 'drivers/wake/wake.c',
  before = 'msleep(100);',
  after = 'usleep_range(1000, 2000);',
): string {
  return `The controller is ready sooner.

Signed-off-by: Ada Dev <ada@example.org>
---
 ${file} | 2 +-
 1 file changed, 1 insertion(+), 1 deletion(-)

diff --git a/${file} b/${file}
index 1111111..2222222 100644
--- a/${file}
+++ b/${file}
@@ -10,7 +10,7 @@ static int wake_reset(struct wake *w)
 \tint tries = 10;
 
 \twhile (!wake_ready(w)) {
-\t\t${before}
+\t\t${after}
 \t\tif (!--tries)
 \t\t\treturn -ETIMEDOUT;
 \t}
-- 
2.40.1
`;
}

/** A patch mail, by default one that is worth an answer. */
export function patchText(mail: Partial<MailText> & { readonly id: string }): string {
  return mailText({ subject: '[PATCH] wake: sleep less in reset', body: patchBody(), ...mail });
}
