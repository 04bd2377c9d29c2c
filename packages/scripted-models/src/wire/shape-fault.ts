import type { z } from "zod";
import type { JsonObject } from "./json.ts";

/** The first difference of a body from its shape, as a sentence. */
export function shapeFault(shape: z.ZodType, body: JsonObject): readonly string[] {
  const [issue] = shape.safeParse(body).error?.issues ?? [];
  return issue === undefined ? [] : [`It is not of the protocol at ${issue.path.join(".") || "its root"}.`];
}
