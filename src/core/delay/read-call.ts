import { findCalls, tokenise } from '../csource/index.js';
import type { Span } from '../kernel/index.js';
import { findApi, type Catalogue, type Flavour } from './catalogue.js';
import { spanOf } from './site.js';
import { evaluate, type Lookup } from './value.js';

/** What one call asks for, standing alone: its catalogue name, the nominal span of its delay and its upper bound. */
export function readCall(
  text: string,
  catalogue: Catalogue,
  flavour: Flavour = 'linux',
  lookup: Lookup = () => undefined,
): { api: string; span?: Span; limit?: Span } | undefined {
  const [call] = findCalls(tokenise(text), (name) => findApi(catalogue, flavour, name) !== undefined);
  const api = call && findApi(catalogue, flavour, call.name);
  if (call === undefined || api === undefined) return undefined;
  const read = (args: readonly number[]) => args.map((i) => evaluate(call.args[i] ?? '', lookup));
  const span = api.span && spanOf(read([api.span.from, api.span.to]), api.span.unit);
  const limit = api.limit && spanOf(read([api.limit.argument]), api.limit.unit);
  return { api: api.name, ...(span === undefined ? {} : { span }), ...(limit === undefined ? {} : { limit }) };
}
