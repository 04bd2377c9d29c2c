import type { Journal } from "../src/index.ts";

/** One object per line, as session files are. */
export function jsonl(...values: readonly unknown[]): string {
  return values.map((value) => `${JSON.stringify(value)}\n`).join("");
}

/** The bytes of a text in pieces of `size`, so that lines and characters are cut anywhere. */
export async function* bytesOf(text: string | Uint8Array, size = 7): AsyncGenerator<Uint8Array> {
  const bytes = typeof text === "string" ? Buffer.from(text, "utf8") : text;
  for (let start = 0; start < bytes.length; start += size) yield bytes.subarray(start, start + size);
}

export const header = {
  type: "session",
  version: 3,
  id: "s-1",
  timestamp: "2026-02-16T10:20:30.000Z",
  cwd: "/home/dev/pi",
};

const timestamp = "2026-02-16T10:21:00.000Z";

/** An entry of version 3 at its place in the tree. */
export function entry(id: string, parentId: string | null, fields: object): object {
  return { id, parentId, timestamp, ...fields };
}

export function user(id: string, parentId: string | null, text: string): object {
  return entry(id, parentId, { type: "message", message: { role: "user", content: [{ type: "text", text }] } });
}

export function idsOf(path: readonly { readonly id: string }[]): readonly string[] {
  return path.map(({ id }) => id);
}

/** `kind:line` of every problem. */
export function kindsOf(journal: Journal): readonly string[] {
  return journal.problems.first.map(({ kind, line }) => `${kind}:${line}`);
}
