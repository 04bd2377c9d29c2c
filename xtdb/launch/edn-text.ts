import { NodeError } from "./node-error.ts";

/** A Clojure symbol, such as the name of a module. */
export interface EdnSymbol {
  readonly symbol: string;
}

/** The values of a node's configuration. Keys of maps become keywords; undefined entries are left out. */
export type Edn = string | number | boolean | null | EdnSymbol | readonly Edn[] | EdnMap;

export interface EdnMap {
  readonly [keyword: `:${string}`]: Edn | undefined;
}

const isList = (value: Edn): value is readonly Edn[] => Array.isArray(value);
const isSymbol = (value: EdnSymbol | EdnMap): value is EdnSymbol => "symbol" in value;

/** One line of EDN in plain ASCII, so that neither a line break nor the machine's encoding can change its meaning. */
export function ednText(value: Edn): string {
  if (value === null) return "nil";
  if (typeof value === "string") return ednString(value);
  if (typeof value !== "object") return String(value);
  if (isList(value)) return `[${value.map(ednText).join(" ")}]`;
  if (isSymbol(value)) return value.symbol;
  const entries = Object.entries(value).filter((entry): entry is [string, Edn] => entry[1] !== undefined);
  return `{${entries.map(([key, inner]) => `${key} ${ednText(inner)}`).join(" ")}}`;
}

function ednString(text: string): string {
  if (!text.isWellFormed()) throw new NodeError("node/invalid", "A setting of the node is not well-formed Unicode.");
  const escaped = text
    .replace(/["\\]/g, "\\$&")
    .replace(/[^\x20-\x7e]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
  return `"${escaped}"`;
}
