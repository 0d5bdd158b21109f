/** Patches of our own about a driver that does not exist: each deserves a reply. */
export type PatchMail = {
  readonly id: string;
  readonly to: readonly string[];
  readonly name?: string;
  readonly date?: Date;
  /** Header fields as a list would add them. */
  readonly more?: string;
  readonly from?: string;
};

/** `[PATCH] <name>: poll the ready bit more often`, from 100 ms to 1 ms, in a probe function. */
export function patchMail({ id, to, name = 'quark', date = new Date(), more = '', from }: PatchMail): string {
  return `From: Dev Eloper <${from ?? 'dev@example.org'}>
To: ${to.join(', ')}
Subject: [PATCH] ${name}: poll the ready bit more often
Message-ID: <${id}@example.org>
Date: ${date.toUTCString().replace('GMT', '+0000')}
${more}
The core is ready after a few milliseconds, yet probe sleeps for 100 ms
between two looks at the status register.

Signed-off-by: Dev Eloper <dev@example.org>
---
 drivers/${name}/core.c | 2 +-
 1 file changed, 1 insertion(+), 1 deletion(-)

diff --git a/drivers/${name}/core.c b/drivers/${name}/core.c
index 1111111..2222222 100644
--- a/drivers/${name}/core.c
+++ b/drivers/${name}/core.c
@@ -40,9 +40,9 @@ static int ${name}_probe(struct platform_device *pdev)
 {
 	struct ${name} *q = platform_get_drvdata(pdev);
 	int tries = 50;
 
 	while (!(readl(q->base + STATUS) & READY)) {
-		msleep(100);
+		usleep_range(1000, 2000);
 		if (--tries == 0)
 			return -ETIMEDOUT;
 	}
-- 
2.39.0
`;
}
