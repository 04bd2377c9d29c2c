// @module-tag long
// Verifies: through a store and back, Pi's own session manager gives the same messages and thinking level at every leaf.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createMemoryStore } from "@cm/object-model";
import { forSeeds } from "@cm/testkit";
import { afterAll, expect, test } from "vitest";
import { exportSession, importSession } from "../src/index.ts";
import { allOf } from "./all-of.ts";
import { randomSession } from "./random-session.ts";
import { piSessions } from "./support/pi-session-manager.ts";

const pi = await piSessions();
const folder = mkdtempSync(join(tmpdir(), "cm-exchange-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** What Pi makes of a file: its leaf, and the context at every entry, or what it fails with there. */
function seenByPi(path: string): { readonly leaf: string | null; readonly contexts: readonly unknown[] } {
  const session = pi.SessionManager.open(path);
  const entries = session.getEntries();
  const contexts = [null, ...entries.map(({ id }) => id)].map((leaf) => {
    try {
      const { messages, thinkingLevel } = pi.buildSessionContext(entries, leaf);
      return { leaf, messages, thinkingLevel };
    } catch (error) {
      return { leaf, error: String(error) };
    }
  });
  return { leaf: session.getLeafId(), contexts };
}

test("a random tree is to Pi what it was", async () => {
  let compared = 0;
  const seeds = { short: 150, long: 20_000, file: "packages/exchange/test/differential.test.ts" };
  await forSeeds(seeds, async (random) => {
    const { header, entries } = randomSession(random, `d${random.below(1e9)}`, "pi");
    const [before, after] = [join(folder, "before.jsonl"), join(folder, "after.jsonl")];
    writeFileSync(before, [header, ...entries].map((line) => `${JSON.stringify(line)}\n`).join(""));
    const store = createMemoryStore();

    const { session } = await importSession(store, before, { batchCharsMax: random.pick([1, 2_000, 1e9]) });
    const { lines } = await exportSession(store, session, { as: "pi", cwd: "/" });
    writeFileSync(after, (await allOf(lines)).join(""));

    const [theirs, ours] = [seenByPi(before), seenByPi(after)];
    expect(ours).toEqual(theirs);
    compared += theirs.contexts.filter((context) => !Object.hasOwn(context as object, "error")).length;
  });
  expect(compared).toBeGreaterThan(seeds.short);
});
