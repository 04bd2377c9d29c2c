import type { StoredSession } from "@cm/testkit";

/** Over OpenAI's responses Pi joins a call's id with that of its item. */
export const plainCallId = (id: string): string => id.split("|")[0] ?? id;

/** What was stored, with the ids and signatures that the model gave: over responses Pi keeps whole items of them. */
export function withPlainIds(stored: StoredSession): StoredSession {
  const plain = (key: string, value: unknown): unknown => {
    if (typeof value !== "string") return value;
    if (key === "callId") return plainCallId(value);
    return key === "signature" && value.startsWith("{") ? JSON.parse(value).encrypted_content : value;
  };
  return JSON.parse(JSON.stringify(stored), plain);
}
