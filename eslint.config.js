// Lint rules are chosen one by one (STYLE 15); typed ones watch promises and unions.
import regexp from 'eslint-plugin-regexp';
import tseslint from 'typescript-eslint';

const impure = [
  { object: 'Date', property: 'now', message: 'The core has no clock: take `now` as an argument.' },
  { object: 'Math', property: 'random', message: 'The core has no chance: take a named stream.' },
  { object: 'performance', property: 'now', message: 'The core has no clock.' },
];

export default tseslint.config(
  { ignores: ['dist/**', 'node_modules/**'] },
  {
    files: ['src/**/*.ts', 'test/**/*.ts'],
    plugins: { '@typescript-eslint': tseslint.plugin, regexp },
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    languageOptions: {
      parser: tseslint.parser,
      parserOptions: { project: './tsconfig.json', tsconfigRootDir: import.meta.dirname },
    },
    rules: {
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': 'error',
      '@typescript-eslint/await-thenable': 'error',
      '@typescript-eslint/require-await': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-non-null-assertion': 'error',
      '@typescript-eslint/no-unnecessary-type-assertion': 'error',
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/only-throw-error': 'error',
      'no-empty': 'error',
      'no-constant-condition': ['error', { checkLoops: false }],
      'no-control-regex': 'off', // mail from strangers has control characters; we match them on purpose
      'no-restricted-syntax': [
        'error',
        { selector: 'ExportDefaultDeclaration', message: 'Named exports only.' },
        { selector: 'TSEnumDeclaration', message: 'Use a union of literals.' },
        { selector: 'CallExpression[callee.property.name="forEach"]', message: 'Use for..of.' },
      ],
      'prefer-const': 'error',
      eqeqeq: ['error', 'always'],
      'regexp/no-super-linear-backtracking': ['error', { report: 'potential' }],
      'regexp/no-super-linear-move': 'off', // tested by doubling inputs instead: it flags every unanchored search
      'regexp/no-dupe-disjunctions': 'error',
      'regexp/no-empty-alternative': 'error',
      'regexp/no-invalid-regexp': 'error',
      'regexp/no-misleading-capturing-group': 'error',
      'regexp/no-optional-assertion': 'error',
      'regexp/no-potentially-useless-backreference': 'error',
      'regexp/no-useless-assertions': 'error',
      'regexp/no-useless-lazy': 'error',
      'regexp/no-contradiction-with-assertion': 'error',
    },
  },
  {
    files: ['src/core/**/*.ts'],
    rules: {
      'no-restricted-properties': ['error', ...impure],
      'no-restricted-globals': [
        'error',
        ...[
          'process',
          'console',
          'setTimeout',
          'setInterval',
          'setImmediate',
          'fetch',
          'performance',
          'queueMicrotask',
        ].map((name) => ({ name, message: 'The core does nothing: the shell does.' })),
      ],
    },
  },
  {
    files: ['src/core/**/*.ts', 'src/shell/**/*.ts'],
    rules: { 'max-lines': ['error', { max: 500, skipBlankLines: true, skipComments: true }] },
  },
  // Vitest wants its configuration as a default export.
  { files: ['test/vitest.config.ts'], rules: { 'no-restricted-syntax': 'off' } },
  // A declaration file says how a package exports, and jstat has only a default.
  { files: ['src/**/*.d.ts'], rules: { 'no-restricted-syntax': 'off' } },
);
