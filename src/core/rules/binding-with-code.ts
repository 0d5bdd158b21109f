import { isSince } from './version.js';
import type { Rule } from './finding.js';

export const bindingWithCode: Rule = {
  id: 'binding-with-code',
  title: 'Device tree binding and code in one patch',
  nit: true,
  why: 'Bindings are reviewed by other people and go before the driver that uses them.',
  instead: 'Make the binding a patch of its own.',
  level: 'warning',
  confidence: 'medium',
  source: 'Documentation/devicetree/bindings/submitting-patches.rst @ v6.12',
  since: '0.1.0',
  checkpatch: 'DT_SPLIT_BINDING_PATCH',
  default: false,

  *check({ patch, kernel }) {
    // Up to 6.12 a file that goes away was no binding to it.
    const old = !isSince(kernel, '6.13');
    const paths = patch.files.map(({ path, status }) => (old && status === 'deleted' ? '' : path));
    const binding = paths.find(isBinding);
    const code = paths.find((path) => !isBinding(path) && path !== 'MAINTAINERS');
    if (binding === undefined || code === undefined) return;
    yield { file: binding, text: 'The binding comes in one patch with code.', key: 'binding' };
  },
};

function isBinding(path: string): boolean {
  return path.startsWith('Documentation/devicetree/bindings/') || path.startsWith('include/dt-bindings/');
}
