import type { Block } from './blocks.js';
import type { Token } from './lexer.js';
import type { CParser } from './parser.js';

/** Blocks by the parser; absent where the fragment defeats it, then the scanner's stand. */
export function syntaxBlocks(
  _tokens: readonly Token[],
  _text: string,
  _scanned: readonly Block[],
  _parser: CParser,
): Block[] | undefined {
  return undefined;
}
