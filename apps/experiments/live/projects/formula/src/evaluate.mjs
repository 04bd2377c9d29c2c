import { FormulaError } from "./formula-error.mjs";
import { functions } from "./functions.mjs";

/**
 * The value of a tree.
 * @param names values by name
 */
export function evaluate(tree, names = {}) {
  const value = resultOf(tree, names);
  if (!Number.isFinite(value)) throw new FormulaError("The result is no finite number", tree.where);
  return value;
}

function resultOf(node, names) {
  switch (node.kind) {
    case "number":
      return node.value;
    case "name":
      return named(node, names);
    case "call":
      return called(node, names);
    case "prefix":
      return prefixed(node, names);
    case "binary":
      return binary(node, names);
    case "choice":
      return resultOf(node.condition, names) !== 0 ? resultOf(node.yes, names) : resultOf(node.no, names);
    default:
      throw new FormulaError(`A node of kind ${node.kind} has no value`, node.where);
  }
}

function named({ name, where }, names) {
  if (!Object.hasOwn(names, name)) throw new FormulaError(`Unknown name ${name}`, where);
  return names[name];
}

function called({ name, args, where }, names) {
  if (name === "if") {
    if (args.length !== 3) throw new FormulaError("if takes 3 arguments", where);
    return resultOf(args[0], names) !== 0 ? resultOf(args[1], names) : resultOf(args[2], names);
  }
  if (!Object.hasOwn(functions, name)) throw new FormulaError(`Unknown function ${name}`, where);
  const { least, most, of } = functions[name];
  if (args.length < least || args.length > most) {
    throw new FormulaError(`${name} does not take ${args.length} arguments`, where);
  }
  return of(...args.map((arg) => resultOf(arg, names)));
}

function prefixed({ operator, operand }, names) {
  const value = resultOf(operand, names);
  return operator === "-" ? -value : truth(value === 0);
}

const truth = (holds) => (holds ? 1 : 0);

function binary({ operator, left, right, where }, names) {
  const a = resultOf(left, names);
  if (operator === "and") return a === 0 ? 0 : truth(resultOf(right, names) !== 0);
  if (operator === "or") return a !== 0 ? 1 : truth(resultOf(right, names) !== 0);
  const b = resultOf(right, names);
  switch (operator) {
    case "+":
      return a + b;
    case "-":
      return a - b;
    case "*":
      return a * b;
    case "/":
      if (b === 0) throw new FormulaError("Division by zero", where);
      return a / b;
    default:
      return truth(compared(operator, a, b));
  }
}

function compared(operator, a, b) {
  switch (operator) {
    case "==":
      return a === b;
    case "!=":
      return a !== b;
    case "<":
      return a < b;
    case "<=":
      return a <= b;
    case ">":
      return a > b;
    default:
      return a >= b;
  }
}
