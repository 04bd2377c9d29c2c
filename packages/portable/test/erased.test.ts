// Verifies: SSOT 3.11, F13, T7, T11: what was erased does not travel, and is told.
import { createMemoryStore, sealDocument, systemPromptId } from "@cm/object-model";
import { forkSession } from "@cm/session";
import { describe, expect, it } from "vitest";
import { importBundle, verifyBundle } from "../src/index.ts";
import { bundleOf, opening } from "./support/bytes.ts";
import { at, Files } from "./support/files.ts";
import { linesIn } from "./support/lines.ts";
import { sample, tickingStore } from "./support/sample.ts";
import { openOn } from "./support/stage.ts";
import { told } from "./support/told.ts";

const file = sealDocument({ type: "file", source: at("/a.ts") }, { content: "", file_type: "ts", char_count: 0 });

describe("a session of which something was erased", () => {
  it.each([
    ["a tool call", "s-1", "text 1"],
    ["a file", file["xt/id"], "let a = 2;"],
    ["its system prompt", systemPromptId("s"), "You are another test."],
  ])("travels without %s, with the same marks as before", async (_what, id, text) => {
    const { store, session } = await sample();
    await store.erase([id], "asked for");

    const bytes = await bundleOf(store, session);
    const target = createMemoryStore();
    await importBundle(target, opening(bytes));

    expect(bytes.toString()).not.toContain(text);
    expect((await verifyBundle(opening(bytes))).complete).toBe(false);
    expect(await told(target, session)).toEqual(await told(store, session));
  });

  it("stays where it is when a step that it continues was erased", async () => {
    const { store, session } = await sample();
    await store.erase(["step:s:1"], "asked for");

    await expect(bundleOf(store, session)).rejects.toMatchObject({
      code: "bundle/erased-step",
      data: { id: "step:s:1" },
    });
  });

  it("travels where only a step that another writer made was erased", async () => {
    const stage = { store: tickingStore(), files: new Files() };
    const [first, second] = [await openOn(stage, "s"), await openOn(stage, "s")];
    for (const writer of [first, second]) await writer.assemble();
    for (const writer of [first, second]) await writer.record({ answer: { role: "assistant", text: "both" } });
    await stage.store.erase(["step:s:0"], "asked for");
    const target = createMemoryStore();

    const bytes = await bundleOf(stage.store, "s");
    await importBundle(target, opening(bytes));

    expect(linesIn(bytes).filter(({ kind }) => kind === "erased")).toMatchObject([{ id: "step:s:0", of: "step" }]);
    expect(await told(target, "s")).toEqual(await told(stage.store, "s"));
    expect((await verifyBundle(opening(await bundleOf(target, "s")))).counts.erased).toBe(1);
  });

  it("travels as a fork of a step before the erased one", async () => {
    const { store } = await sample();
    await store.erase(["step:s:3"], "asked for");
    const { session } = await forkSession(store, { session: "s", n: 2 }, { session: "fork" });
    const target = createMemoryStore();

    await importBundle(target, opening(await bundleOf(store, session)));

    expect(await told(target, session)).toEqual(await told(store, session));
  });
});
