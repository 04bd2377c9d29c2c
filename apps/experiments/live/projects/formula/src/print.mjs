import { atomStrength, choiceStrength, isComparison, prefixStrength, strength } from "./operators.mjs";

/** The shortest text that parses to the same tree; see docs/language.md. */
export function print(node) {
  switch (node.kind) {
    case "number":
      return String(node.value);
    case "name":
      return node.name;
    case "call":
      return `${node.name}(${node.args.map(print).join(", ")})`;
    case "prefix": {
      const operand = within(node.operand, prefixStrength);
      return node.operator === "not" ? `not ${operand}` : `-${operand}`;
    }
    case "binary": {
      const own = strength[node.operator];
      // A comparison takes no comparison on either side.
      const left = within(node.left, isComparison(node.operator) ? own + 1 : own);
      return `${left} ${node.operator} ${within(node.right, own + 1)}`;
    }
    default: {
      const condition = within(node.condition, choiceStrength + 1);
      return `${condition} ? ${within(node.yes, choiceStrength)} : ${within(node.no, choiceStrength)}`;
    }
  }
}

/** With parentheses where it binds less than its place asks for. */
function within(node, least) {
  const text = print(node);
  return strengthOf(node) < least ? `(${text})` : text;
}

function strengthOf({ kind, operator }) {
  if (kind === "binary") return strength[operator];
  if (kind === "prefix") return prefixStrength;
  return kind === "choice" ? choiceStrength : atomStrength;
}
