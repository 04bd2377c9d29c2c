import { findNodeAtLocation, type Node, type ParseError, parseTree, printParseErrorCode } from "jsonc-parser";

/** A file's value, with where in its text things stand. */
export interface ReadJson {
  readonly value: unknown;
  /** Names that stand twice in one object: the last one counts. */
  readonly repeated: readonly { readonly path: readonly (string | number)[]; readonly line: number }[];
  /** Of what stands at a path, or of the nearest place above it; counted from 1. */
  lineOf(path: readonly (string | number)[]): number;
}

/** Where a text is no JSON, and why. */
export interface BrokenJson {
  readonly brokenAtLine: number;
  readonly why: string;
}

/** JSON in which comments and commas at the end of a list are allowed. A text of blanks and comments is an empty object. */
export function readJson(text: string): ReadJson | BrokenJson {
  const errors: ParseError[] = [];
  const line = (offset: number): number => text.slice(0, offset).split("\n").length;
  const tree = parseTree(text, errors, { allowTrailingComma: true, allowEmptyContent: true });
  const [error] = errors;
  if (error !== undefined) return { brokenAtLine: line(error.offset), why: printParseErrorCode(error.error) };
  if (tree === undefined) return { value: {}, repeated: [], lineOf: () => 1 };
  const repeated: ReadJson["repeated"][number][] = [];
  const value = builtOf(tree, [], (path, node) => repeated.push({ path, line: line(node.offset) }));
  return {
    value,
    repeated,
    lineOf(path) {
      for (let depth = path.length; depth > 0; depth -= 1) {
        const node = findNodeAtLocation(tree, path.slice(0, depth));
        if (node !== undefined) return line(node.parent?.type === "property" ? node.parent.offset : node.offset);
      }
      return line(tree.offset);
    },
  };
}

type Repeated = (path: readonly (string | number)[], node: Node) => void;

function builtOf(
  { type, value, children = [] }: Node,
  path: readonly (string | number)[],
  repeated: Repeated,
): unknown {
  if (type === "array") return children.map((child, n) => builtOf(child, [...path, n], repeated));
  if (type !== "object") return value;
  const made = new Map<string, unknown>();
  for (const property of children) {
    const [name, child] = property.children ?? [];
    if (name === undefined || child === undefined) continue;
    const inner = [...path, String(name.value)];
    if (made.has(String(name.value))) repeated(inner, property);
    made.set(String(name.value), builtOf(child, inner, repeated));
  }
  // Not an assignment: a name may be one that objects have of themselves.
  return Object.fromEntries(made);
}
