import { FormulaError } from "./formula-error.mjs";
import { choiceStrength, isBinary, isComparison, prefixStrength, strength } from "./operators.mjs";
import { tokensOf } from "./tokens.mjs";

/**
 * The tree of a formula. Nodes have a `kind` and the place of their token, `where`:
 *
 * - `{ kind: "number", value }`
 * - `{ kind: "name", name }`
 * - `{ kind: "call", name, args }`
 * - `{ kind: "prefix", operator, operand }`
 * - `{ kind: "binary", operator, left, right }`
 * - `{ kind: "choice", condition, yes, no }`
 */
export function parse(text) {
  const reader = new Reader(tokensOf(text));
  const tree = expression(reader, 0);
  if (reader.next.kind !== "end") throw unexpected(reader.next);
  return tree;
}

class Reader {
  #tokens;
  #at = 0;

  constructor(tokens) {
    this.#tokens = tokens;
  }

  get next() {
    return this.#tokens[this.#at];
  }

  take() {
    const token = this.next;
    this.#at += 1;
    return token;
  }

  isSymbol(text) {
    return this.next.kind === "symbol" && this.next.text === text;
  }

  /** Takes this symbol, or throws at what stands in its place. */
  expect(text) {
    if (!this.isSymbol(text)) throw unexpected(this.next, text);
    return this.take();
  }
}

/** Everything that binds at least so strongly. */
function expression(reader, least) {
  let left = prefixed(reader);
  let comparison;
  for (;;) {
    const { kind, text } = reader.next;
    if (kind !== "symbol") return left;
    if (text === "?" && choiceStrength >= least) {
      left = choice(reader, left);
      continue;
    }
    if (!isBinary(text) || strength[text] < least) return left;
    const token = reader.take();
    if (isComparison(text)) {
      if (comparison !== undefined) throw new FormulaError("Comparisons cannot be chained", token);
      comparison = token;
    } else if (strength[text] < 4) comparison = undefined;
    const right = expression(reader, strength[text] + 1);
    left = { kind: "binary", operator: text, left, right, where: placeOf(token) };
  }
}

function choice(reader, condition) {
  const token = reader.expect("?");
  const yes = expression(reader, choiceStrength);
  reader.expect(":");
  const no = expression(reader, choiceStrength);
  return { kind: "choice", condition, yes, no, where: placeOf(token) };
}

function prefixed(reader) {
  if (!reader.isSymbol("-") && !reader.isSymbol("not")) return atom(reader);
  const token = reader.take();
  const operand = expression(reader, prefixStrength);
  return { kind: "prefix", operator: token.text, operand, where: placeOf(token) };
}

function atom(reader) {
  const token = reader.take();
  const where = placeOf(token);
  if (token.kind === "number") return { kind: "number", value: Number(token.text), where };
  if (token.kind === "name") {
    if (!reader.isSymbol("(")) return { kind: "name", name: token.text, where };
    return { kind: "call", name: token.text, args: argumentsOf(reader), where };
  }
  if (token.kind === "symbol" && token.text === "(") {
    const inner = expression(reader, 0);
    reader.expect(")");
    return inner;
  }
  throw unexpected(token);
}

function argumentsOf(reader) {
  reader.expect("(");
  const args = [];
  if (reader.isSymbol(")")) {
    reader.take();
    return args;
  }
  for (;;) {
    args.push(expression(reader, 0));
    if (!reader.isSymbol(",")) break;
    reader.take();
  }
  reader.expect(")");
  return args;
}

const placeOf = ({ line, column }) => ({ line, column });

function unexpected(token, wanted) {
  const found = token.kind === "end" ? "end of the formula" : JSON.stringify(token.text);
  return new FormulaError(wanted === undefined ? `Unexpected ${found}` : `Expected "${wanted}", found ${found}`, token);
}
