import type { JsonObject } from "@cm/object-model";
import type { HarnessImage } from "./conversation.ts";

/** The one tool of a harness under test. What it does stands in its arguments. */
export const probeTool = "cm_probe";

export interface ProbeArgs {
  /** The output. */
  readonly say: string;
  /** How often the output is repeated, so that a script stays short. Default: once. */
  readonly times?: number;
  /** The output is said backwards: so it stands in no argument. */
  readonly backwards?: boolean;
  readonly fail?: boolean;
  readonly image?: HarnessImage;
  /** The harness does not let the call through (feature `blocking`), and says this. */
  readonly block?: string;
  /** The call never ends: the process is killed while it runs (feature `kill`). */
  readonly hang?: boolean;
}

export interface ProbeResult {
  readonly text: string;
  readonly failed: boolean;
  readonly images: readonly HarnessImage[];
}

export function probeArgs(args: ProbeArgs): JsonObject {
  return JSON.parse(JSON.stringify(args));
}

/** What the scripted tool gives for its arguments. Pure. */
export function probeResult(args: JsonObject): ProbeResult {
  const { say, times, backwards, fail, image } = args;
  const said = (typeof say === "string" ? say : "").repeat(typeof times === "number" ? times : 1);
  const text = backwards === true ? [...said].reverse().join("") : said;
  return { text, failed: fail === true, images: isImage(image) ? [{ mime: image.mime, base64: image.base64 }] : [] };
}

function isImage(value: unknown): value is HarnessImage {
  return (
    typeof value === "object" &&
    value !== null &&
    "mime" in value &&
    "base64" in value &&
    typeof value.mime === "string" &&
    typeof value.base64 === "string"
  );
}
