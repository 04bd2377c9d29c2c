import { z } from "zod";
import { isRawObject } from "../json-lines.ts";
import type { SessionEntry, SessionHeader } from "./session-entry.ts";

// These schemas only judge: what passes is handed on as it was read, with every field that is not named here.
const text = z.string();
const optionalText = z.string().nullish();
const header = z.object({ type: z.literal("session"), id: text });

/** What an entry of each kind cannot do without. */
const bodies = {
  message: z.object({ message: z.object({ role: text }) }),
  thinking_level_change: z.object({ thinkingLevel: optionalText }),
  model_change: z.object({ model: optionalText, role: optionalText, provider: optionalText, modelId: optionalText }),
  compaction: z.object({ summary: text, firstKeptEntryId: optionalText }),
  branch_summary: z.object({ summary: optionalText }),
  custom: z.object({ customType: text }),
  custom_message: z.object({ customType: text }),
  label: z.object({ targetId: text, label: optionalText }),
  ttsr_injection: z.object({ injectedRules: z.array(text) }),
  session_init: z.object({ systemPrompt: text, task: text, tools: z.array(text) }),
  mode_change: z.object({ mode: text }),
  session_info: z.object({ name: optionalText }),
  context_edit: z.object({ targetId: text, replacement: z.object({ content: z.unknown() }).nullable() }),
} satisfies Record<SessionEntry["type"], z.ZodType>;

const schemas: ReadonlyMap<string, z.ZodType> = new Map(Object.entries(bodies));

/** Whether an object of a file is a header: its type, and an id that is text. */
export function isSessionHeader(value: unknown): value is SessionHeader {
  return header.safeParse(value).success;
}

/** Whether an entry is of a known kind and has that kind's shape, so that its fields may be used. */
export function isWellFormed(entry: SessionEntry): boolean {
  return schemas.get(entry.type)?.safeParse(entry).success === true;
}

/** Whether a kind is one of those that this version knows. */
export function isKnownKind(type: unknown): boolean {
  return typeof type === "string" && schemas.has(type);
}

/** Whether an object of a file has a place in the tree. */
export function isNode(value: unknown): value is SessionEntry {
  return isRawObject(value) && typeof value.id === "string";
}
