// Apart from the rest: what knows the width of every script takes long to load, and an agent without tables waits for it.
export { type AlignedColumn, alignedLines } from "./aligned-lines.ts";
export { columnsOf, shortened } from "./columns.ts";
