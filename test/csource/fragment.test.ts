import { afterAll, describe, expect, test } from 'vitest';
import { enclosing, findCalls, functionAt, readFragment, tokenise } from '../../src/core/csource/index.js';
import { openCParser } from '../../src/shell/config/index.js';

const parser = await openCParser();
afterAll(() => parser.close());

function read(lines: readonly string[], section = '') {
  return readFragment(lines.join('\n'), section, { parser });
}

describe('a fragment of C', () => {
  test('belongs to the function that its hunk starts in, until that one ends', () => {
    const fragment = read(['\tmsleep(1);', '}', '', 'static int toy_b(void)', '{', '\tmsleep(2);'], 'int toy_a(void)');
    const at = (text: string) => functionAt(fragment, fragment.text.indexOf(text));
    expect(at('msleep(1)')).toBe('toy_a');
    expect(at('msleep(2)')).toBe('toy_b');
  });

  test('that starts between two functions is not in the one that git names', () => {
    const fragment = read(['#define NAP 3', '', 'int toy_b(void)', '{', '\tmsleep(NAP);', '}'], 'int toy_a(void)');
    expect(functionAt(fragment, 0)).toBeUndefined();
    expect(functionAt(fragment, fragment.text.indexOf('msleep'))).toBe('toy_b');
  });

  test('names a function that follows the rest of a macro', () => {
    const fragment = read([
      '\tWARN(cond, fmt, \\',
      '\t     name(dev), ##arg)',
      '',
      'static inline bool toy_a(int b)',
      '{',
      '\tmsleep(1);',
      '}',
    ]);
    expect(functionAt(fragment, fragment.text.indexOf('msleep'))).toBe('toy_a');
  });

  test.each([
    ['for', ['\tfor (i = 0; i < 3; i++)', '\t\tmsleep(1);'], 'i = 0 ; i < 3 ; i ++'],
    ['while', ['\twhile (!done(t)) {', '\t\tmsleep(1);', '\t}'], '! done ( t )'],
    ['do', ['\tdo {', '\t\tmsleep(1);', '\t} while (n--);'], 'n --'],
    ['each', ['\tlist_for_each_entry(a, list, node) {', '\t\tmsleep(1);', '\t}'], 'a , list , node'],
  ])('knows a %s loop and its condition', (loop, lines, head) => {
    const fragment = read(lines, 'int toy(void)');
    const around = enclosing(fragment, fragment.text.indexOf('msleep'));
    expect(around.find((b) => b.kind === 'loop')).toMatchObject({ loop, head });
  });

  test('ends a braceless loop with its statement', () => {
    const fragment = read(['\twhile (busy(t))', '\t\tcpu_relax();', '\tmsleep(1);'], 'int toy(void)');
    expect(enclosing(fragment, fragment.text.indexOf('msleep')).some((b) => b.kind === 'loop')).toBe(false);
  });

  test('whose loop began above it is known by the test over the wait at its end', () => {
    const fragment = read(
      ['\t\tif (done(t))', '\t\t\treturn 0;', '\t\tmsleep(1);', '\t}', '\treturn -EIO;'],
      'int toy(void)',
    );
    expect(enclosing(fragment, fragment.text.indexOf('msleep')).some((b) => b.kind === 'loop')).toBe(true);
  });

  const hasLoop = (lines: readonly string[]) => {
    const fragment = read(lines, 'int toy(void)');
    return enclosing(fragment, fragment.text.indexOf('msleep')).some((b) => b.kind === 'loop');
  };

  test.each([
    ['an error that is handed up', ['\t\tif (error)', '\t\t\treturn error;', '\t\tmsleep(20);', '\t}', '\treturn 0;']],
    [
      'an error below another statement',
      ['\t\tret = toy_on(t);', '\t\tif (ret < 0)', '\t\t\tgoto err_off;', '\t\tmsleep(20);', '\t}'],
    ],
    ['an error whose test is out of sight', ['\t\t\treturn ret;', '\t\t}', '\t\tmsleep(20);', '\t}', '\treturn 0;']],
    [
      'a success, with more to do before the wait',
      ['\t\tif (t->on)', '\t\t\treturn 0;', '\t\ttoy_on(t);', '\t\tmsleep(20);', '\t}', '\ttoy_go(t);'],
    ],
    [
      'a case that breaks',
      ['\t\tcase 1:', '\t\t\tif (t->a)', '\t\t\t\tbreak;', '\t\t\tmsleep(20);', '\t\t}', '\treturn 0;'],
    ],
    ['no way out at all', ['\t\ttoy_on(t);', '\t\tmsleep(20);', '\t}', '\treturn 0;']],
  ])('and that leaves before a wait with %s is no loop by that', (_what, lines) => {
    expect(hasLoop(lines)).toBe(false);
  });

  test.each([
    ['breaks', ['\t\tif (ready(t))', '\t\t\tbreak;', '\t\tmsleep(1);', '\t}', '\treturn 0;']],
    ['counts', ['\t\tif (!--left)', '\t\t\treturn -EIO;', '\t\tmsleep(1);', '\t}']],
    ['looks at the clock', ['\t\tif (time_after(jiffies, end))', '\t\t\treturn -EIO;', '\t\tmsleep(1);', '\t}']],
    [
      'ends in a failure',
      ['\t\tif (ready(t))', '\t\t\treturn 0;', '\t\tkick(t);', '\t\tmsleep(1);', '\t}', '\treturn -ETIMEDOUT;'],
    ],
    [
      'gives up with a message below',
      ['\t\t\tgoto up;', '\t\t}', '\t\tmsleep(1);', '\t}', '\tdev_err(d, "never came up\\n");'],
    ],
    ['gives up with its own error above', ['\t\t\treturn -EIO;', '\t\t}', '\t\tmsleep(1);', '\t}', '\ttoy_go(t);']],
    ['waits by a poll interval', ['\t\t\tgoto err;', '\t\t}', '\t\tmsleep(TOY_POLL_MS);', '\t}', '\ttoy_go(t);']],
    ['tells how long it took', ['\t\t\tgoto out;', '\t\t}', '\t\tmsleep(1);', '\t}', '\tdbg("up after %d ms\\n", i);']],
  ])('and that %s is one', (_what, lines) => {
    expect(hasLoop(lines)).toBe(true);
  });

  test('carries a loop over from the hunk before', () => {
    const before = read(['\twhile (retries-- > 0) {', '\t\tkick(t);'], 'int toy(void)');
    const fragment = readFragment('\t\tkick_again(t);\n\t\tmsleep(1);\n\t}', 'int toy(void)', { parser, before });
    expect(enclosing(fragment, fragment.text.indexOf('msleep')).find((b) => b.kind === 'loop')?.head).toBe(
      'retries -- > 0',
    );
  });
});

describe('calls', () => {
  const names = (text: string) => findCalls(tokenise(text), (n) => n === 'msleep').map((c) => c.args);

  test.each([
    ['an argument over several lines', 'msleep(a +\n\t b);', [['a + b']]],
    ['a nested call', 'msleep(max(a, b));', [['max(a, b)']]],
    ['a prototype', 'void msleep(unsigned int ms);', []],
    ['a definition', 'void msleep(unsigned int ms)\n{', []],
    ['a comment', '/* msleep(3); */ // msleep(4);', []],
    ['a string', 'pr("msleep(3)");', []],
    ['a member', 'ops->msleep(3);', []],
    ['the tail of a comment', ' * msleep(3);\n */\nmsleep(4);', [['4']]],
    ['a macro body', '#define NAP() \\\n\tmsleep(7)', [['7']]],
  ])('are read from %s', (_what, text, wanted) => {
    expect(names(text)).toEqual(wanted);
  });
});

describe('hostile text', () => {
  test.each([
    ['brackets nested 50,000 deep', 'f('.repeat(50_000)],
    ['braces nested 50,000 deep', '{'.repeat(50_000)],
    ['closing braces', '}'.repeat(20_000)],
    ['an endless string', `"${'a'.repeat(200_000)}`],
    ['an endless comment', `/*${' *'.repeat(100_000)}`],
    ['heads without bodies', 'if (a) while (b) for (;;) '.repeat(3_000)],
  ])('gives a value: %s', (_what, text) => {
    expect(readFragment(text, '', { parser }).tokens.length).toBeGreaterThanOrEqual(0);
  });
});
