import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { findChanges, type DelayChange } from '../../src/core/delay/index.js';
import { loadCatalogue } from '../../src/shell/config/index.js';
import { patchOf } from '../support/patch-text.js';
import { timesOf } from '../support/times.js';

const kit = { catalogue: loadCatalogue(join(import.meta.dirname, '..', '..', 'config', 'delays')) };

function changesIn(lines: readonly string[], file: string): DelayChange[] {
  return findChanges(patchOf(lines, { file }), kit);
}

function outlineOf(lines: readonly string[], file: string): string[] {
  return changesIn(lines, file).map((c) => `${c.effect} ${c.kind} ${timesOf(c.before)} > ${timesOf(c.after)}`);
}

const board = 'arch/arm64/boot/dts/toy/toy.dts';

describe('a device tree', () => {
  test('has times in the unit of their names, or of their bindings', () => {
    expect(outlineOf(['-\treset-assert-us = <10000>;', '+\treset-assert-us = <20000>;'], board)).toEqual([
      'changed constant 10000..10000 > 20000..20000',
    ]);
    expect(outlineOf(['-\tpoll-interval = <100>;', '+\tpoll-interval = <50>;'], board)).toEqual([
      'changed constant 100000..100000 > 50000..50000',
    ]);
    expect(outlineOf(['-\trx-internal-delay-ps = <10>;', '+\trx-internal-delay-ps = <20>;'], board)).toEqual([]);
  });

  test('has several times in one property', () => {
    const lines = ['-\tsnps,reset-delays-us = <0 10000 50000>;', '+\tsnps,reset-delays-us = <0 10000 30000>;'];
    expect(outlineOf(lines, board)).toEqual(['changed constant ? > ?']);
    expect(outlineOf(['-\ttoy,reset-delays-us = <0 10 20>;', '+\ttoy,reset-delays-us = <0  10 20>;'], board)).toEqual(
      [],
    );
  });

  test('gains no wait with the furniture of a new node', () => {
    expect(outlineOf([' \tkey-one {', '+\t\tdebounce-interval = <60>;', ' \t};'], board)).toEqual([]);
  });
});

describe('a build option', () => {
  test('is in the unit that it asks for', () => {
    const lines = [' config TOY_TIMEOUT', ' \tint "Toy timeout in seconds"', '-\tdefault 10', '+\tdefault 20'];
    expect(outlineOf(lines, 'drivers/toy/Kconfig')).toEqual([
      'changed constant 10000000..10000000 > 20000000..20000000',
    ]);
    const bare = [' config TOY_TIMEOUT', ' \tint "Toy timeout"', '-\tdefault 10', '+\tdefault 20'];
    expect(outlineOf(bare, 'drivers/toy/Kconfig')).toEqual([]);
  });

  test('is the wait for a key before a boot loader starts', () => {
    const [change] = changesIn(['-CONFIG_BOOTDELAY=3', '+CONFIG_BOOTDELAY=1'], 'configs/toy_defconfig');
    expect(change).toMatchObject({ kind: 'constant', path: { is: 'init' } });
    expect(timesOf(change?.after)).toBe('1000000..1000000');
  });
});

test('a constant in Rust is read before its type', () => {
  const lines = [
    '-const LIMIT_TIMEOUT: Delta = Delta::from_secs(2);',
    '+const LIMIT_TIMEOUT: Delta = Delta::from_secs(5);',
  ];
  const [change] = changesIn(lines, 'drivers/gpu/toy/toy.rs');
  expect(change).toMatchObject({ kind: 'constant', role: { is: 'timeout' } });
  expect(timesOf(change?.before)).toBe('2000000..2000000');
});
