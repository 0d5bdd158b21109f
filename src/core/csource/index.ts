export { findAssigns, findEnums, type Assign, type EnumConstant } from './assigns.js';
export { isEachMacro, scanBlocks, type Block, type LoopKind } from './blocks.js';
export { findCalls, readDefine, textOf, type Call, type Define } from './calls.js';
export { once } from './once.js';
export { enclosing, functionAt, readFragment, sectionFunction, type Fragment } from './fragment.js';
export { tokenise, type Token } from './lexer.js';
export { SIDE_CAP, type CParser, type SyntaxNode } from './parser.js';
