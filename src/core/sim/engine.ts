import type { Ns } from '../kernel/index.js';
import { namedStream, type Random } from './random.js';

/** What a process may ask of its run. */
export type Request = { readonly kind: 'until'; readonly at: Ns } | { readonly kind: 'event'; readonly event: Event };

/** A simulated activity: yields what it waits for, and is resumed when that has come. */
export type Process<T> = Generator<Request, T, void>;

/** Something that happens once; those who wait for it are woken in the order they came. */
export type Event = { fired: boolean; readonly waiting: Process<unknown>[] };

/** One simulation: it owns clock, order and chance. */
export type Run = {
  readonly now: () => Ns;
  /** Starts a process at the present time; the event fires at its end. */
  readonly start: (process: Process<unknown>) => Event;
  readonly fire: (event: Event) => void;
  /** Runs until nothing is left to happen, or past `until`, or `maxEvents` are done. */
  readonly run: (until?: Ns, maxEvents?: number) => void;
  readonly stream: (name: string) => Random;
  readonly events: () => number;
};

/** A new run at time 0 (or `startAt`). Equal times run in the order they were asked for. */
export function createRun(seed: number, startAt: Ns = 0): Run {
  const streams = new Map<string, Random>();
  const queue = createQueue();
  const ends = new Map<Process<unknown>, Event>();
  let clock = startAt;
  let count = 0;

  const resume = (process: Process<unknown>): void => {
    count++;
    const step = process.next();
    if (step.done === true) {
      const end = ends.get(process);
      ends.delete(process);
      if (end !== undefined) fire(end);
    } else if (step.value.kind === 'until') queue.push(Math.max(step.value.at, clock), process);
    else if (step.value.event.fired) queue.push(clock, process);
    else step.value.event.waiting.push(process);
  };
  const fire = (event: Event): void => {
    if (event.fired) return;
    event.fired = true;
    for (const process of event.waiting.splice(0)) queue.push(clock, process);
  };
  return {
    now: () => clock,
    start: (process) => {
      const end = createEvent();
      ends.set(process, end);
      queue.push(clock, process);
      return end;
    },
    fire,
    run: (until = Infinity, maxEvents = Infinity) => {
      const last = count + maxEvents;
      while (queue.size() > 0 && queue.nextAt() <= until && count < last) {
        clock = queue.nextAt();
        resume(queue.pop());
      }
    },
    stream: (name) => {
      const known = streams.get(name);
      if (known !== undefined) return known;
      const made = namedStream(seed, name);
      streams.set(name, made);
      return made;
    },
    events: () => count,
  };
}

export function createEvent(): Event {
  return { fired: false, waiting: [] };
}

/** Waits until a time. */
export function* until(at: Ns): Process<void> {
  yield { kind: 'until', at };
}

/** Waits until something has happened. */
export function* happened(event: Event): Process<void> {
  yield { kind: 'event', event };
}

type Queue = {
  readonly push: (at: Ns, process: Process<unknown>) => void;
  readonly pop: () => Process<unknown>;
  readonly nextAt: () => Ns;
  readonly size: () => number;
};

/** A binary heap by time, then by order of asking. */
function createQueue(): Queue {
  const times: number[] = [];
  const orders: number[] = [];
  const processes: Process<unknown>[] = [];
  let asked = 0;

  const put = (i: number, at: number, order: number, process: Process<unknown>): void => {
    times[i] = at;
    orders[i] = order;
    processes[i] = process;
  };
  const time = (i: number): number => times[i] as number; // i is always below the length
  const order = (i: number): number => orders[i] as number; // as above
  const process = (i: number): Process<unknown> => processes[i] as Process<unknown>; // as above
  const isBefore = (at: number, o: number, i: number): boolean => at < time(i) || (at === time(i) && o < order(i));

  return {
    push: (at, pushed) => {
      const mine = asked++;
      let i = times.length;
      while (i > 0) {
        const parent = (i - 1) >> 1;
        if (!isBefore(at, mine, parent)) break;
        put(i, time(parent), order(parent), process(parent));
        i = parent;
      }
      put(i, at, mine, pushed);
    },
    pop: () => {
      const top = process(0);
      const last = times.length - 1;
      const [at, mine, moved] = [time(last), order(last), process(last)];
      times.length = orders.length = processes.length = last;
      let i = 0;
      while (last > 0) {
        let child = 2 * i + 1;
        if (child >= last) break;
        if (child + 1 < last && isBefore(time(child + 1), order(child + 1), child)) child++;
        if (isBefore(at, mine, child)) break;
        put(i, time(child), order(child), process(child));
        i = child;
      }
      if (last > 0) put(i, at, mine, moved);
      return top;
    },
    nextAt: () => time(0),
    size: () => times.length,
  };
}
