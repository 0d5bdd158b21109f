import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

// One configuration, several projects: verify runs each as a gate of its own.
// What is pure shares its modules between test files: loading them anew for each took longer than the tests.
function project(name: string, include: string[], exclude: string[], testTimeout: number, isolate = false) {
  return {
    test: {
      name,
      include,
      exclude: ['node_modules/**', ...exclude],
      testTimeout,
      hookTimeout: 300_000,
      pool: 'forks' as const,
      ...(name === 'property' ? { setupFiles: ['test/support/property-seed.ts'] } : {}),
      isolate,
    },
  };
}

const special = ['**/*.prop.test.ts', '**/*.contract.test.ts', 'test/golden/**', 'test/e2e/**'];

export default defineConfig({
  root: join(import.meta.dirname, '..'),
  cacheDir: join(tmpdir(), 'reveille-vite'),
  test: {
    maxWorkers: 2,
    projects: [
      project('architecture', ['test/*.test.ts'], [], 60_000),
      project('unit', ['test/*/**/*.test.ts'], special, 60_000),
      project('property', ['test/**/*.prop.test.ts'], [], 120_000),
      project('golden', ['test/golden/*.test.ts'], [], 60_000),
      project('contract', ['test/**/*.contract.test.ts'], [], 180_000, true),
      project('e2e', ['test/e2e/**/*.test.ts'], [], 600_000, true),
    ],
  },
});
