/** One named node of a syntax tree, copied out of the parser: plain, safe to keep after the tree is freed. */
export type SyntaxNode = {
  readonly type: string;
  /** Offsets into the parsed text. */
  readonly start: number;
  readonly end: number;
  readonly field?: string;
  readonly children: readonly SyntaxNode[];
};

/** The C parser as a handle: opened once a thread by the shell, closed by it. */
export type CParser = {
  /**
   * The root of the tree; undefined when the parser had to skip or invent something. Text over `cap` characters (256 KB unless told) is
   * cut there; nesting deeper than the bound, and what lies in an expression without a brace, is left out.
   */
  parse(text: string, cap?: number): SyntaxNode | undefined;
  close(): void;
};

/** What one side of a hunk may be at most; longer text is cut (`f(` 50,000 times costs 350 ms beyond it). */
export const SIDE_CAP = 256 * 1024;
