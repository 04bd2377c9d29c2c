import { clientLimits } from "./limits.ts";

/** Values of JSON answers; integers beyond 2^53 come as bigint. */
export type JsonOutput =
  | string
  | number
  | bigint
  | boolean
  | null
  | readonly JsonOutput[]
  | { readonly [key: string]: JsonOutput };

/** Matches a possible long number or escaped surrogate; a match inside a string only costs time. */
const suspicious = /[[:,]\s*-?\d{16}|^\s*-?\d{16}|\\u[dD][89a-fA-F]/;

/** `JSON.parse` that rounds no integer and lets no lone surrogate in. Throws SyntaxError. */
export function parseExactJson(text: string): JsonOutput {
  return suspicious.test(text) ? JSON.parse(text, revive) : JSON.parse(text);
}

function revive(key: string, value: unknown, context?: { readonly source?: string }): unknown {
  if (!key.isWellFormed()) throw new SyntaxError("JSON: a lone surrogate");
  if (typeof value === "string" && !value.isWellFormed()) throw new SyntaxError("JSON: a lone surrogate");
  if (typeof value !== "number" || Number.isSafeInteger(value)) return value;
  const source = context?.source ?? "";
  if (!/^-?\d+$/.test(source)) return value;
  if (source.length > clientLimits.integerDigitsMax) throw new SyntaxError("JSON: an integer that is too long");
  return BigInt(source);
}
