import { evaluate } from "./evaluate.mjs";
import { parse } from "./parse.mjs";

export { evaluate } from "./evaluate.mjs";
export { FormulaError } from "./formula-error.mjs";
export { parse } from "./parse.mjs";
export { print } from "./print.mjs";

/** The value of a formula. */
export const compute = (text, names) => evaluate(parse(text), names);
