import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll } from "vitest";
import type { RecordedEvent } from "../src/index.ts";

/** A folder for the files of one test file, removed at the end. */
export function recordedFiles() {
  let folder = "";
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "cm-recordings-"));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));
  return {
    path: (name: string) => join(folder, name),
    async write(name: string, content: string | Uint8Array): Promise<string> {
      await writeFile(join(folder, name), content);
      return join(folder, name);
    },
  };
}

export function jsonl(...values: readonly unknown[]): string {
  return values.map((value) => `${JSON.stringify(value)}\n`).join("");
}

/** What the judge compares: kind, text, and the arguments of all calls as JSON. */
export function judged(events: readonly RecordedEvent[]): readonly (readonly string[])[] {
  return events.map((event) => {
    const args = event.kind === "assistant" ? event.calls.map((call) => JSON.stringify(call.args)).join("") : "";
    return [event.kind, event.text, args];
  });
}
