import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** The shared folder beside the checkout: real mail to measure with. A user's clone has none. */
export const sharedFolder = process.env.REVEILLE_SHARED ?? join(import.meta.dirname, '..', '..', '..', 'shared');

/** Says in a test's name why it is skipped where ../shared is absent: `describe.skipIf(!hasShared)(...)`. */
export const hasShared = existsSync(join(sharedFolder, 'corpus'));
