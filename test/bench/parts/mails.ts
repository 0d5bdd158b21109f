// Mails of our own for benches: invented people, an invented driver, the shape and length of real ones.

/** A patch of a series as an mbox entry; every third changes a wait. */
export function seriesMail(index: number, total: number): string {
  const id = (n: number): string => `<series-${total}-${n}@example.org>`;
  const wait = index % 3 === 0 ? ['-\tmsleep(20);', '+\tusleep_range(1000, 2000);'] : ['-\tret = 0;', '+\tret = -EIO;'];
  const lines = [
    'From ada@example.org Mon Jan  5 09:00:00 2026',
    'From: Ada Example <ada@example.org>',
    'To: drivers@lists.example.org',
    `Subject: [PATCH ${index}/${total}] gizmo: step ${index}`,
    `Date: Mon, 05 Jan 2026 09:00:00 +0000`,
    `Message-ID: ${id(index)}`,
    ...(index > 1 ? [`In-Reply-To: ${id(1)}`, `References: ${id(1)}`] : []),
    'List-Id: <drivers.lists.example.org>',
    '',
    `Step ${index} of the rework: the gizmo says when it is done, so ask it.`,
    '',
    'Signed-off-by: Ada Example <ada@example.org>',
    '---',
    ' drivers/misc/gizmo.c | 2 +-',
    ' 1 file changed, 1 insertion(+), 1 deletion(-)',
    '',
    'diff --git a/drivers/misc/gizmo.c b/drivers/misc/gizmo.c',
    '--- a/drivers/misc/gizmo.c',
    '+++ b/drivers/misc/gizmo.c',
    `@@ -${index * 10},7 +${index * 10},7 @@ static int gizmo_wait_${index}(struct gizmo *gz)`,
    ' {',
    ' \tint ret = -ETIMEDOUT;',
    ' \twhile (!(gizmo_read(gz, GIZMO_STATUS) & GIZMO_DONE))',
    ...wait,
    ' \tgizmo_write(gz, GIZMO_STATUS, 0);',
    ' \treturn ret;',
    ' }',
    '-- ',
    '2.45.0',
    '',
    '',
  ];
  return lines.join('\n');
}

/** A series of that many patches as one mbox. */
export function seriesMbox(total: number): string {
  return Array.from({ length: total }, (_, n) => seriesMail(n + 1, total)).join('');
}

/** What a hostile sender may try: nesting, a long line, a regular expression's worst friend, in one mail of a megabyte. */
export function hostileMail(): string {
  const head = 'From: a@example.org\nSubject: [PATCH] x\nMessage-ID: <h@example.org>\n\n';
  const diff = `diff --git ${'a/'.repeat(40_000)}\n--- a/x.c\n+++ b/x.c\n@@ -1,1 +1,1 @@ f(\n`;
  return `${head}${diff}+${'f('.repeat(50_000)}\n+${'"'.repeat(100_000)}\n${' '.repeat(300_000)}\n${'from 1 ms to '.repeat(20_000)}\n`;
}
