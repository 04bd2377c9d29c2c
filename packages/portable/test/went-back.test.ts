// Verifies: SSOT 3.11: a session that went back is exported with every step, and stands where it stood.
import { createMemoryStore, type ObjectStore } from "@cm/object-model";
import { rendererFor } from "@cm/render";
import { forkSession, rebuildPrompt, returnToStep } from "@cm/session";
import { verifyStore } from "@cm/session/verify";
import { describe, expect, it } from "vitest";
import { importBundle } from "../src/index.ts";
import { bundleOf, opening } from "./support/bytes.ts";
import { Files } from "./support/files.ts";
import { openOn } from "./support/stage.ts";
import { told } from "./support/told.ts";

describe("a session that went back", () => {
  it.each([{ n: 4 }, { n: 1 }, { n: null }])(
    "to $n comes with the steps that it left, and goes on there",
    async ({ n }) => {
      const [from, to] = [await withSteps("s", 5), createMemoryStore()];
      await returnToStep(from, { session: "s", n: 1 });
      await oneStep(from, "s", "other");
      await returnToStep(from, { session: "s", n });

      await importBundle(to, opening(await bundleOf(from, "s")));

      expect(await told(to, "s")).toEqual(await told(from, "s"));
      expect(await exactPrompts(to, [0, 1, 2, 3, 4, 5])).toBe(6);
      expect(await oneStep(to, "s", "on")).toBe(6);
      expect(await findings(to)).toEqual([]);
    },
  );

  it("comes with what it inherited where it is a fork that went back before its beginning", async () => {
    const [from, to] = [await withSteps("s", 4), createMemoryStore()];
    await forkSession(from, { session: "s", n: 2 }, { session: "fork" });
    await oneStep(from, "fork", "own");
    await returnToStep(from, { session: "fork", n: 0, of: "s" });
    await oneStep(from, "fork", "again");

    await importBundle(to, opening(await bundleOf(from, "fork")));

    expect(await told(to, "fork")).toEqual(await told(from, "fork"));
  });

  it("takes what a newer export has more, on whichever branch", async () => {
    const [from, to] = [await withSteps("s", 3), createMemoryStore()];
    await importBundle(to, opening(await bundleOf(from, "s")));
    await returnToStep(from, { session: "s", n: 0 });
    await oneStep(from, "s", "other");

    const receipt = await importBundle(to, opening(await bundleOf(from, "s")));

    expect(receipt.outcome).toBe("extended");
    expect(await told(to, "s")).toEqual(await told(from, "s"));
  });

  it("stays where it went back to when it has all that a bundle brings", async () => {
    const store = await withSteps("s", 3);
    const bytes = await bundleOf(store, "s");
    await returnToStep(store, { session: "s", n: 0 });

    const receipt = await importBundle(store, opening(bytes));

    expect(receipt.outcome).toBe("unchanged");
    expect(await told(store, "s")).toHaveLength(1);
  });
});

async function withSteps(session: string, count: number): Promise<ObjectStore> {
  const store = createMemoryStore();
  for (let n = 0; n < count; n += 1) await oneStep(store, session, `${n}`);
  return store;
}

async function oneStep(store: ObjectStore, session: string, name: string): Promise<number> {
  const open = await openOn({ store, files: new Files() }, session);
  await open.receive([{ role: "user", text: `prompt ${name}` }]);
  await open.assemble();
  const callId = `${session} ${name}`;
  const { n } = await open.record({
    answer: { role: "assistant", text: name, calls: [{ callId, tool: "bash", args: {} }] },
    results: [{ role: "tool", callId, text: `output ${name}`, failed: false }],
  });
  await open.close();
  return n;
}

async function exactPrompts(store: ObjectStore, numbers: readonly number[]): Promise<number> {
  const rebuilt = await Promise.all(numbers.map((n) => rebuildPrompt(store, { session: "s", n }, rendererFor)));
  return rebuilt.filter(({ hash, recordedHash }) => hash === recordedHash).length;
}

async function findings(store: ObjectStore): Promise<readonly unknown[]> {
  const found: unknown[] = [];
  for await (const finding of verifyStore(store)) found.push(finding);
  return found;
}
