import { UnreadableRequest } from "./sent-prompt.ts";

export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };
export interface JsonObject {
  readonly [key: string]: Json;
}

export function parseObject(text: string): JsonObject {
  return objectOf(JSON.parse(text) as Json, "the body");
}

export function objectOf(value: Json | undefined, what: string): JsonObject {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as JsonObject;
  throw new UnreadableRequest(`${what} is no object`);
}

export function listOf(value: Json | undefined, what: string): readonly Json[] {
  if (Array.isArray(value)) return value;
  throw new UnreadableRequest(`${what} is no list`);
}

export function textOf(value: Json | undefined, what: string): string {
  if (typeof value === "string") return value;
  throw new UnreadableRequest(`${what} is no text`);
}
