import type { Call } from '../csource/index.js';
import { findApi, type Api, type Catalogue, type Flavour } from './catalogue.js';
import { isTimeName } from './words.js';

const NAME = /[a-z\d]_poll_timeout(?:_atomic)?$/;

/** A name outside the catalogue that is built as the kernel's polling macros are: toy_read_poll_timeout. */
export function isPollName(name: string): boolean {
  return name.includes('_poll_timeout') && NAME.test(name);
}

/** What such a call means: its interval and its bound stand last, in microseconds, as in include/linux/iopoll.h. */
export function unknownPoll(catalogue: Catalogue, flavour: Flavour, call: Call): Api | undefined {
  const last = call.args.length - 1;
  if (!isPollName(call.name) || call.cut || last < 3) return undefined;
  if (!isTime(call.args[last]) || !isTime(call.args[last - 1])) return undefined;
  const known = findApi(catalogue, flavour, 'readl_poll_timeout');
  if (known === undefined) return undefined;
  return {
    ...known,
    name: call.name,
    span: { from: last - 1, to: last - 1, unit: 'us' },
    limit: { argument: last, unit: 'us' },
  };
}

function isTime(text: string | undefined): boolean {
  return text !== undefined && (/^\(*\d[\w\s()*+]*$/.test(text) || isTimeName(/(\w+)\W*$/.exec(text)?.[1] ?? ''));
}
