/** The wait finder on whole source files, invented ones of a usual size: files a second of CPU time. */
import { join } from 'node:path';
import { waitsOfSource } from '../../src/core/delay/index.js';
import { loadCatalogue } from '../../src/shell/config/index.js';

const catalogue = loadCatalogue(join(import.meta.dirname, '..', '..', 'config', 'delays'));
const functions = 60;
const text = [
  '#include <linux/delay.h>',
  '#define TOY_POLL_US 100',
  ...Array.from({ length: functions }, (_, i) => body(i)),
].join('\n');

function body(i: number): string {
  return `
static int toy_wait_${i}(struct toy *toy, unsigned int mask)
{
	unsigned long deadline = jiffies + msecs_to_jiffies(${i + 5});
	int ret, retries = ${i + 3};

	do {
		ret = toy_read(toy, TOY_STATUS_${i});
		if (ret < 0)
			return ret;
		if (ret & mask)
			return 0;
		usleep_range(TOY_POLL_US, 2 * TOY_POLL_US);
	} while (time_before(jiffies, deadline) && --retries);

	return -ETIMEDOUT;
}
`;
}

const rounds = 40;
for (let i = 0; i < rounds; i++) waitsOfSource('drivers/toy/toy.c', text, catalogue);
const began = process.cpuUsage();
let found = 0;
for (let i = 0; i < rounds; i++) found = waitsOfSource('drivers/toy/toy.c', text, catalogue).length;
const used = process.cpuUsage(began);
const seconds = (used.user + used.system) / 1e6;
console.log(`waits of a file of ${text.split('\n').length} lines: ${found}`);
console.log(`files a second: ${(rounds / seconds).toFixed(0)}`);
