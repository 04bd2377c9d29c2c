// @module-tag process
// Verifies: processes that write one file, and rewrite it, lose no line of each other.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { loadEntriesFromFile, SessionManager } from "../src/index.ts";
import { assistant, optionsIn, tempFolder } from "./support/places.ts";

const program = new URL("./support/write-lines.ts", import.meta.url).pathname;
const lines = process.env.CM_CAMPAIGN === "1" ? 1000 : 150;

describe("three processes on one file", () => {
  it("lose no line of each other, and write none twice", async () => {
    const folder = tempFolder();
    const session = SessionManager.create("/work", folder, optionsIn(folder));
    session.appendMessage(assistant("0"));
    await session.close();
    const path = session.getSessionFile() as string;

    const ends = ["a", "b", "c"].map(async (name) => {
      const args = ["--conditions=source", program, path, folder, name, String(lines)];
      const writer = spawn(process.execPath, args, { stdio: ["ignore", "ignore", "inherit"] });
      return (await once(writer, "exit"))[0];
    });

    expect(await Promise.all(ends)).toEqual([0, 0, 0]);
    const entries = await loadEntriesFromFile(path);
    const contents = entries.flatMap((entry) => (entry.type === "message" ? [String(entry.message.content)] : []));
    const expected = ["a", "b", "c"].flatMap((name) => Array.from({ length: lines }, (_, line) => `${name}-${line}`));
    const count = new Map<string, number>();
    for (const content of contents.slice(1)) count.set(content, (count.get(content) ?? 0) + 1);
    expect(expected.filter((content) => count.get(content) !== 1)).toEqual([]);
    expect(readdirSync(folder).filter((name) => !name.endsWith(".jsonl"))).toEqual([]);
  });
});
