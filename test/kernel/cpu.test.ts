import { describe, expect, test } from 'vitest';
import {
  busyMachine,
  consents,
  createCpu,
  mechanismOf,
  ms,
  parseCall,
  us,
  type Call,
  type Cpu,
  type Machine,
  type Ns,
  type Rival,
} from '../../src/core/kernel/index.js';

function busy(minor: number, rival: Partial<Rival> = {}): Machine {
  return { ...busyMachine(250, { major: minor > 20 ? 5 : 6, minor }, { cpus: 1, ...rival }), overhead: 0 };
}

function call(text: string): Call {
  const parsed = parseCall(text);
  if (!parsed.ok) throw new Error(parsed.reason);
  return parsed.value;
}

function wait(cpu: Cpu, text: string, now: Ns, machine: Machine): Ns {
  const asked = call(text);
  return cpu.wait(mechanismOf(asked, machine), consents(asked) ? cpu.consent(now) : now);
}

describe('a CPU shared with a task that never sleeps', () => {
  test.each([1, 12])('who sleeps all the time runs when it wakes, on 6.%i', (minor) => {
    const machine = busy(minor);
    const cpu = createCpu(machine);
    let now = ms(400);
    for (let i = 0; i < 50; i++) {
      const woken = wait(cpu, 'usleep_range(100, 200)', now, machine);
      expect(woken - now).toBeLessThanOrEqual(us(200));
      now = woken;
    }
  });

  test('under CFS who has just computed waits for a tick at which the other has had three milliseconds and more of the CPU', () => {
    const machine = busy(1);
    const cpu = createCpu(machine);
    // From -3 ms it comes to 4 ms; the other is there at the second tick after, 12 ms.
    const now = cpu.compute(ms(0.5), ms(7));
    expect(now).toBe(ms(7.5));
    expect(wait(cpu, 'usleep_range(10, 20)', now, machine)).toBe(ms(12));
  });

  test('under CFS a long sleep pays the debt: the sleeper then runs at once', () => {
    const machine = busy(1);
    const cpu = createCpu(machine);
    const now = cpu.compute(ms(0.5), ms(7));
    expect(wait(cpu, 'msleep(20)', now, machine)).toBe(ms(32));
  });

  test('with eight CPUs the times of CFS are four times as long', () => {
    const machine = busy(1, { cpus: 8 });
    const cpu = createCpu(machine);
    // From -12 ms to 8 ms; a slice is 12 ms, and the other reaches 8 ms and its slice at 32 ms.
    const now = cpu.compute(ms(0.5), ms(20));
    expect(wait(cpu, 'usleep_range(10, 20)', now, machine)).toBe(ms(36));
  });

  test('under EEVDF the sleeper waits until the other has had as much', () => {
    const machine = busy(12);
    const cpu = createCpu(machine);
    const now = cpu.compute(ms(0.5), ms(7));
    expect(wait(cpu, 'usleep_range(10, 20)', now, machine)).toBe(ms(16));
  });

  test('up to 6.11 EEVDF keeps a debt through a sleep, since 6.12 it is paid while asleep', () => {
    const woken = [11, 12].map((minor) => {
      const machine = busy(minor);
      const cpu = createCpu(machine);
      return wait(cpu, 'schedule_timeout_uninterruptible(5)', cpu.compute(ms(0.5), ms(7)), machine);
    });
    // Due at 28 ms: seven milliseconds of debt are two ticks.
    expect(woken).toEqual([ms(36), ms(28)]);
  });

  test('a range sleep ends at the last tick inside its range', () => {
    const machine = busy(1);
    expect(wait(createCpu(machine), 'usleep_range(2000, 5000)', ms(0.5), machine)).toBe(ms(4));
  });

  test('wait_event_timeout() gives the CPU up before it counts, schedule_timeout() does not', () => {
    const [event, plain] = ['wait_event_timeout(wq, c, 1)', 'schedule_timeout_uninterruptible(1)'].map((text) => {
      const machine = busy(1);
      const cpu = createCpu(machine);
      return wait(cpu, text, cpu.compute(ms(0.5), ms(7)), machine);
    });
    // Due at 12 ms, when the other is half a millisecond ahead: not enough to be preempted.
    expect(plain).toBe(ms(16));
    // It is away until 12 ms, and then asks for one jiffy and sleeps two ticks.
    expect(event).toBe(ms(20));
  });

  test('computing is not interrupted by consent, a tick after it was asked for if lazy, at once if full', () => {
    const done = (time: Ns): Ns[] =>
      (['none', 'voluntary', 'lazy', 'full'] as const).map((preemption) =>
        createCpu(busy(12, { preemption })).compute(ms(0.5), time),
      );
    // Asked at 4 ms: the full kernel switches until 8 ms, the lazy one insists at 8 ms. The time is the clock's, not the task's.
    expect(done(ms(7))).toEqual([ms(7.5), ms(7.5), ms(7.5), ms(8)]);
    expect(done(ms(9))).toEqual([ms(9.5), ms(9.5), ms(16), ms(9.5)]);
  });

  test('kernels before 7.0 are taken for voluntary ones, later ones for lazy', () => {
    expect(busyMachine(250, { major: 6, minor: 18 }).rival?.preemption).toBe('voluntary');
    expect(busyMachine(250, { major: 7, minor: 1 }).rival?.preemption).toBe('lazy');
  });
});
