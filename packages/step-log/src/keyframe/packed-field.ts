import { deflateRawSync, inflateRawSync } from "node:zlib";
import { canonicalJson, type JsonValue } from "@cm/object-model";
import { limits } from "../limits.ts";

/**
 * What few readers look at, as base64 of deflated JSON. Undefined where it is so long that a session goes without it.
 */
export function packedField(value: JsonValue): string | undefined {
  const text = canonicalJson(value);
  return text.length <= limits.keyframeFieldCharsMax ? deflateRawSync(text).toString("base64") : undefined;
}

/** Undefined where it is not what `packedField` makes. */
export function unpackedField(text: string | undefined): unknown {
  if (text === undefined) return undefined;
  try {
    const bytes = inflateRawSync(Buffer.from(text, "base64"), { maxOutputLength: 4 * limits.keyframeFieldCharsMax });
    return JSON.parse(bytes.toString("utf8"));
  } catch {
    return undefined;
  }
}
