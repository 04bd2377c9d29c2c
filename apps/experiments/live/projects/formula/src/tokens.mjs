import { FormulaError } from "./formula-error.mjs";

/** Longer ones first: `<=` is not `<` and `=`. */
const symbols = ["==", "!=", "<=", ">=", "<", ">", "+", "-", "*", "/", "(", ")", ",", "?", ":"];
const words = new Set(["and", "or", "not"]);

const number = /(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?/y;
const name = /[A-Za-z_][A-Za-z0-9_]*/y;
const space = /[ \t\r]+/y;
const comment = /#[^\n]*/y;

/**
 * The tokens of a formula, with an `end` behind the last. A token is `{ kind, text, line, column }`; kinds are
 * `number`, `name`, `symbol` (operators that are words, too) and `end`.
 */
export function tokensOf(text) {
  const tokens = [];
  const place = { at: 0, line: 1, lineStart: 0 };
  while (place.at < text.length) {
    if (skipped(text, place)) continue;
    const token = tokenAt(text, place);
    tokens.push(token);
    place.at += token.text.length;
  }
  tokens.push({ kind: "end", text: "", ...whereIs(place) });
  return tokens;
}

function whereIs({ at, line, lineStart }) {
  return { line, column: at - lineStart + 1 };
}

/** Moves over space, comments and line breaks; false where there is none of them. */
function skipped(text, place) {
  if (text[place.at] === "\n") {
    place.at += 1;
    place.line += 1;
    place.lineStart = place.at;
    return true;
  }
  const found = matchAt(space, text, place.at) ?? matchAt(comment, text, place.at);
  if (found === undefined) return false;
  place.at += found.length;
  return true;
}

function tokenAt(text, place) {
  const where = whereIs(place);
  const digits = matchAt(number, text, place.at);
  if (digits !== undefined) return { kind: "number", text: digits, ...where };
  const letters = matchAt(name, text, place.at);
  if (letters !== undefined) return { kind: words.has(letters) ? "symbol" : "name", text: letters, ...where };
  const symbol = symbols.find((each) => text.startsWith(each, place.at));
  if (symbol !== undefined) return { kind: "symbol", text: symbol, ...where };
  throw new FormulaError(`Unexpected ${JSON.stringify(text[place.at])}`, where);
}

function matchAt(pattern, text, at) {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0];
}
