import { z } from "zod";
import { isRawObject, type RawObject } from "../raw-object.ts";

export interface TextPart {
  readonly type: "text";
  readonly text: string;
}

export interface ImagePart {
  readonly type: "image";
  /** Base64, or `blob:sha256:<64 hex digits>` where oh-my-pi moved the bytes to its blob store. */
  readonly data: string;
  readonly mimeType: string;
}

export interface ThinkingPart {
  readonly type: "thinking";
  readonly thinking: string;
  /** Opaque outside the provider; for redacted thinking, the encrypted text itself. */
  readonly thinkingSignature?: string | undefined;
  readonly redacted?: boolean | undefined;
}

export interface ToolCallPart {
  readonly type: "toolCall";
  readonly id: string;
  readonly name: string;
  /** As the model wrote them: data, never to be merged into other objects. */
  readonly arguments: RawObject;
}

/** A part of a type, or in a shape, that this version does not know. */
export interface UnknownPart {
  readonly type: "unknown";
  readonly raw: unknown;
}

/** One piece of a message. Parts keep the fields of the file that are not named here. */
export type ContentPart = TextPart | ImagePart | ThinkingPart | ToolCallPart | UnknownPart;

// These schemas only judge. What passes is handed on as it was read, because a rebuilt object would lose an own
// `__proto__` member and the fields of versions to come.
const textPart = z.looseObject({ type: z.literal("text"), text: z.string() });
const imagePart = z.looseObject({ type: z.literal("image"), data: z.string(), mimeType: z.string() });
const thinkingPart = z.looseObject({
  type: z.literal("thinking"),
  thinking: z.string(),
  thinkingSignature: z.string().optional(),
  redacted: z.boolean().optional(),
});
const toolCallPart = z.looseObject({
  type: z.literal("toolCall"),
  id: z.string(),
  name: z.string(),
  arguments: z.custom<RawObject>(isRawObject),
});
const known = z.discriminatedUnion("type", [textPart, imagePart, thinkingPart, toolCallPart]);

/** `content` of any message: a bare string becomes one text part, none at all becomes an empty list. */
export function toContent(content: unknown): readonly ContentPart[] {
  if (typeof content === "string") return [{ type: "text", text: content }];
  return Array.isArray(content) ? content.map(toPart) : [];
}

function toPart(raw: unknown): ContentPart {
  if (known.safeParse(raw).success) return raw as ContentPart;
  return isRawObject(raw) ? mended(raw) : { type: "unknown", raw };
}

/** Gives parts of a known type with missing or odd fields a regular shape; the original fields stay beside it. */
function mended(raw: RawObject): ContentPart {
  switch (raw.type) {
    case "text":
      return { ...raw, type: "text", text: "" };
    case "thinking": {
      const { thinkingSignature: _odd, redacted, ...rest } = raw;
      return { ...rest, type: "thinking", thinking: stringOr(raw.thinking, ""), redacted: redacted === true };
    }
    case "redactedThinking":
      return { ...raw, type: "thinking", thinking: "", thinkingSignature: stringOr(raw.data, ""), redacted: true };
    case "toolCall":
      return {
        ...raw,
        type: "toolCall",
        id: stringOr(raw.id, ""),
        name: stringOr(raw.name, ""),
        arguments: toArguments(raw.arguments),
      };
    default:
      return { type: "unknown", raw };
  }
}

/** Arguments that are no object are kept under `value`, so that nothing a model wrote is lost. */
function toArguments(value: unknown): RawObject {
  if (isRawObject(value)) return value;
  return value === undefined || value === null ? {} : { value };
}

function stringOr(value: unknown, fallback: string): string {
  return typeof value === "string" ? value : fallback;
}

/** The text parts of a message, joined by line feeds; thinking, calls and images are left out. */
export function textOf(content: readonly ContentPart[]): string {
  return content
    .filter((part) => part.type === "text")
    .map((part) => part.text)
    .join("\n");
}
