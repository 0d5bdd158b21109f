import { createRequire } from 'node:module';
import { setFlagsFromString } from 'node:v8';
import { Language, Parser, type TreeCursor } from 'web-tree-sitter';
import { SIDE_CAP, type CParser, type SyntaxNode } from '../../core/csource/index.js';

// Deeper code than this nobody writes; text that is nested deeper was made to hurt.
const MAX_DEPTH = 200;
const MAX_NODES = 2_000_000;

/** Opens the C parser (WebAssembly, about 12 ms); one a thread. */
export async function openCParser(): Promise<CParser> {
  const require = createRequire(import.meta.url);
  // Compiled quickly and once: compiling the grammar's huge functions again for speed costs more than an archive gains by it,
  // and a process waits for it at its end.
  setFlagsFromString('--liftoff-only');
  await Parser.init();
  const language = await Language.load(require.resolve('tree-sitter-c/tree-sitter-c.wasm'));
  const parser = new Parser();
  parser.setLanguage(language);
  return {
    parse(text, cap = SIDE_CAP) {
      const read = text.length > cap ? text.slice(0, cap) : text;
      const tree = parser.parse(read);
      try {
        if (tree === null || tree.rootNode.hasError) return undefined;
        const cursor = tree.walk();
        try {
          return copy(cursor, read);
        } finally {
          cursor.delete();
        }
      } finally {
        // A tree that is not freed stays in the WebAssembly memory for ever.
        tree?.delete();
      }
    },
    close() {
      parser.delete();
    },
  };
}

type Draft = { type: string; start: number; end: number; field?: string; children: Draft[] };

/** Nodes that hold no statement and no record unless there is a brace in them; most of a tree is in these. */
const PLAIN: ReadonlySet<string> = new Set([
  'expression_statement',
  'return_statement',
  'declaration',
  'parenthesized_expression',
  'binary_expression',
  'parameter_list',
  'field_declaration',
]);

/** Copies named nodes out of the tree, iteratively: the depth is bounded by a counter and not by the stack. */
function copy(cursor: TreeCursor, text: string): SyntaxNode {
  const root = draft(cursor);
  // Nodes come in the order of their beginnings, so that the next brace is looked for once.
  let brace = text.indexOf('{');
  const hasBrace = ({ start, end }: Draft): boolean => {
    if (brace >= 0 && brace < start) brace = text.indexOf('{', start);
    return brace >= 0 && brace < end;
  };
  const path: Draft[] = [root];
  let nodes = 0;
  let deeper = cursor.gotoFirstChild();
  while (path.length > 0) {
    const parent = path.at(-1);
    if (parent === undefined) break;
    if (!deeper) {
      path.pop();
      if (path.length === 0 || !cursor.gotoParent()) break;
      deeper = cursor.gotoNextSibling();
      continue;
    }
    if (cursor.nodeIsNamed && ++nodes <= MAX_NODES) {
      const node = draft(cursor);
      parent.children.push(node);
      const isPlain = PLAIN.has(node.type) && !hasBrace(node);
      if (!isPlain && path.length < MAX_DEPTH && cursor.gotoFirstChild()) {
        path.push(node);
        continue;
      }
    }
    deeper = cursor.gotoNextSibling();
  }
  return root;
}

function draft(cursor: TreeCursor): Draft {
  const field = cursor.currentFieldName;
  const made: Draft = { type: cursor.nodeType, start: cursor.startIndex, end: cursor.endIndex, children: [] };
  if (field !== null && field !== '') made.field = field;
  return made;
}
