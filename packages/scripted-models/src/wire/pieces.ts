import { limits } from "../limits.ts";
import type { Json, JsonObject } from "./json.ts";
import type { Piece } from "./sent-prompt.ts";

/** A long text of base64, as it stands in JSON. */
const imageData = /"(?:data:[a-z]+\/[a-z0-9.+-]+;base64,)?[A-Za-z0-9+/]{400,}={0,2}"/g;

/** A block of a request as a cache sees it: its role and its bytes, without the marks. */
export function pieceOf(role: string, block: Json): Piece {
  const { json, marked } = withoutMarks(block);
  const text = `${role}:${json}`;
  let chars = text.length;
  if (json.includes('"image')) for (const [data] of text.matchAll(imageData)) chars += limits.imageChars - data.length;
  return { text, chars, marked };
}

function withoutMarks(block: Json): { json: string; marked: boolean } {
  let marked = false;
  const json = JSON.stringify(block, (key, value: Json) => {
    if (key !== "cache_control" || value === null) return value;
    marked = true;
    return undefined;
  });
  return { json, marked };
}

export function toolPieces(tools: readonly JsonObject[]): Piece[] {
  return tools.map((tool) => pieceOf("tool", tool));
}
