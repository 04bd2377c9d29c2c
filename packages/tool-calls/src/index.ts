export type * from "./action.ts";
export { parseNumbered, sparseNumbers, type TextLine, textLines } from "./numbered-text.ts";
export type { CallOutput } from "./output-signs.ts";
export { printedLines, printedText } from "./printed-lines.ts";
export { isReplacedText } from "./replaced-texts.ts";
export { type SourceAddress, sourceAddresses } from "./source-addresses.ts";
export { fileAction, fileActions, toolAction } from "./tool-action.ts";
export { asksForPart, showsWhole } from "./whole-view.ts";
export { writtenText } from "./written-text.ts";
