import { type Json, textOf } from "./json.ts";
import { UnreadableRequest } from "./sent-prompt.ts";

/** The parts of `data:image/png;base64,...`. @throws UnreadableRequest */
export function dataUrlOf(value: Json | undefined): { mediaType: string; data: string } {
  const url = textOf(value, "an image's address");
  const comma = url.indexOf(",");
  const [, mediaType] = /^data:([^;,]+);base64$/.exec(url.slice(0, comma)) ?? [];
  if (mediaType === undefined) throw new UnreadableRequest("an image that is no data URL");
  return { mediaType, data: url.slice(comma + 1) };
}
