import { writeFileSync } from 'node:fs';
import { compileData, compiledDataPath } from './kit.js';

// Run once by the build, after dist/ is there.
writeFileSync(compiledDataPath(), JSON.stringify(await compileData()));
