import { describe, expect, test } from 'vitest';
import { createRun, happened, until, type Process } from '../../src/core/sim/index.js';

describe('the engine', () => {
  test('equal times run in the order they were asked for', () => {
    const run = createRun(1);
    const seen: string[] = [];
    function* at(name: string, time: number): Process<void> {
      yield* until(time);
      seen.push(name);
    }
    for (const name of ['a', 'b', 'c']) run.start(at(name, 5));
    run.start(at('early', 1));
    run.run();
    expect(seen).toEqual(['early', 'a', 'b', 'c']);
    expect(run.now()).toBe(5);
  });

  test('a process may wait for the end of another, also of one that has ended', () => {
    const run = createRun(1);
    const times: number[] = [];
    function* work(): Process<void> {
      yield* until(7);
    }
    function* watcher(): Process<void> {
      yield* happened(done);
      yield* happened(done);
      times.push(run.now());
    }
    const done = run.start(work());
    run.start(watcher());
    run.run();
    expect(times).toEqual([7]);
  });

  test('streams of equal names draw equal numbers whatever else is drawn', () => {
    const [a, b] = [createRun(3), createRun(3)];
    b.stream('other')();
    expect([a.stream('x')(), a.stream('x')()]).toEqual([b.stream('x')(), b.stream('x')()]);
    expect(createRun(4).stream('x')()).not.toBe(createRun(3).stream('x')());
  });

  test('a run does as many events as there are, in order of time', () => {
    const run = createRun(2);
    let last = 0;
    let disorder = 0;
    function* one(seed: number): Process<void> {
      const draw = run.stream(`p${String(seed)}`);
      for (let i = 0; i < 100; i++) {
        yield* until(run.now() + Math.floor(draw() * 1000));
        if (run.now() < last) disorder++;
        last = run.now();
      }
    }
    for (let i = 0; i < 50; i++) run.start(one(i));
    run.run();
    expect(disorder).toBe(0);
    expect(run.events()).toBe(50 * 101);
  });
});
