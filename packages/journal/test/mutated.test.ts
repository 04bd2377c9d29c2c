// @module-tag long
// Verifies: whatever happens to a file, what is whole in it is read, and opening it to write loses none of it.

import { forSeeds, type Random } from "@cm/testkit";
import { describe, expect, it } from "vitest";
import { buildSessionContext, MemorySessionStorage, parseSessionText, SessionManager } from "../src/index.ts";
import { header, jsonl } from "./session-text.ts";
import { optionsIn } from "./support/places.ts";
import { randomTree } from "./support/random-tree.ts";

const junk = ["", "{", "null", "[1]", '{"type":"message","id":"cut","par', "\u0000\uFFFD", '"text"', "   ", '{"a":'];

/** The lines of a file after the header, and which of them are still whole. */
function mutated(random: Random, lines: readonly string[]): { text: string; whole: readonly string[] } {
  const out: string[] = [];
  const whole: string[] = [];
  for (const line of lines) {
    if (random.chance(0.15)) out.push(random.pick(junk));
    if (random.chance(0.15)) {
      out.push(`${line.slice(0, random.below(line.length))}`);
      continue;
    }
    if (random.chance(0.1)) {
      const at = random.below(line.length);
      out.push(`${line.slice(0, at)}${random.pick(["{", '"', "\u0000", "]", "\\"])}${line.slice(at + 1)}`);
      continue;
    }
    out.push(line);
    whole.push(line);
  }
  const end = random.pick(["", "\n", '\n{"type":"mess', "\n\n"]);
  return { text: `${out.join(random.chance(0.1) ? "\r\n" : "\n")}${end}`, whole };
}

describe("a mutated file", () => {
  it("loses no whole line, at loading and at going on", async () => {
    const file = "packages/journal/test/mutated.test.ts";
    await forSeeds({ short: 1000, long: 100_000, file }, async (random) => {
      const tree = randomTree(random).map((entry) => JSON.stringify(entry));
      const { text, whole } = mutated(random, tree);
      const storage = new MemorySessionStorage();
      storage.writeTextSync("/s/a.jsonl", `${random.pick(["", "\n", "{\n"])}${jsonl(header)}${text}`);

      const session = await SessionManager.open("/s/a.jsonl", undefined, optionsIn("/nowhere", { storage }));
      session.getTree();
      session.buildSessionContext();
      for (const { id } of session.getEntries()) session.getBranch(id);
      session.appendMessage({ role: "assistant", content: "one more" });
      await session.close();

      const { entries } = parseSessionText(await storage.readText("/s/a.jsonl"));
      const lines = new Set(entries.map((entry) => JSON.stringify(entry)));
      for (const line of whole) expect(lines).toContain(line);
      expect(entries.at(-1)).toMatchObject({ message: { content: "one more" } });
    });
  });

  it("of random bytes, deep nesting or odd fields never stops a reader", async () => {
    const file = "packages/journal/test/mutated.test.ts";
    const values = [null, 1, "x", [], {}, { role: 1 }, ["y"], "__proto__", true];
    const names = [
      "id",
      "parentId",
      "timestamp",
      "message",
      "summary",
      "firstKeptEntryId",
      "targetId",
      "label",
      "data",
    ];
    const kinds = ["message", "compaction", "label", "branch_summary", "model_change", "mode_change", "session", 7];
    await forSeeds({ short: 500, long: 50_000, file }, (random) => {
      const entries = random.some(12, () => ({
        type: random.pick(kinds),
        ...Object.fromEntries(random.some(8, () => [random.pick(names), random.pick(values)])),
      }));
      const read = parseSessionText(jsonl(header, ...entries)).entries;
      const rest = read.filter((entry) => entry.type !== "session");

      expect(read).toHaveLength(entries.length + 1);
      for (const dialect of ["omp", "pi"] as const) {
        buildSessionContext(rest as never, undefined, undefined, { dialect });
      }
    });
    const deep = `{"type":"x","id":"d","data":${"[".repeat(50_000)}${"]".repeat(50_000)}}\n`;
    expect(parseSessionText(`${jsonl(header)}${deep}${jsonl({ type: "custom", id: "a" })}`)).toMatchObject({
      entries: [header, { type: "custom", id: "a" }],
      skippedLines: 1,
    });
  });
});
