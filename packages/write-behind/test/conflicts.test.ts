// Verifies: SSOT 3.7 as far as a store goes: what others wrote meanwhile is neither lost nor written over unseen.
import type { ObjectDocument } from "@cm/object-model";
import { describe, expect, it } from "vitest";
import { file, idOf, prompt, textsIn, toolcall } from "./support/documents.ts";
import { type Opened, opened } from "./support/opened.ts";
import { until } from "./support/quick-wait.ts";

/** Writes one document while the base is down, lets another writer write another one, and opens the gate. */
async function meeting(mine: ObjectDocument, theirs: ObjectDocument, known?: ObjectDocument): Promise<Opened> {
  const world = await opened({ assumeAbsent: () => true });
  const { base, gate, store } = world;
  const first = known === undefined ? undefined : await store.commit([{ document: known, expect: "absent" }]);
  gate.set("down");
  await store.commit([
    { document: mine, expect: first?.results[0]?.token ?? "absent" },
    { document: toolcall("beside", "text"), expect: "absent" },
  ]);
  await base.commit([{ document: theirs, expect: "any" }]);
  gate.set("open");
  await until(() => store.state.attached || world.broken.length > 0);
  return world;
}

describe("a queued commit that meets another writer's", () => {
  it("puts its file version on top of theirs", async () => {
    const { base, broken } = await meeting(file("/a", "mine"), file("/a", "theirs"), file("/a", "before"));

    expect(await textsIn(base, file("/a", ""))).toEqual(["before", "theirs", "mine"]);
    expect(await textsIn(base, toolcall("beside", ""))).toEqual(["text"]);
    expect(broken).toEqual([]);
  });

  it("leaves the version of a file that says the same", async () => {
    const { base, store } = await meeting(file("/a", "same"), file("/a", "same"));

    expect(await textsIn(base, file("/a", ""))).toEqual(["same"]);
    expect(await textsIn(base, toolcall("beside", ""))).toEqual(["text"]);
    expect(store.state.queuedBytes).toBe(0);
  });

  it("takes a call that says the same for its own", async () => {
    const { base, store } = await meeting(toolcall("call", "same"), toolcall("call", "same"));

    expect(await textsIn(base, toolcall("call", ""))).toEqual(["same"]);
    expect(await textsIn(base, toolcall("beside", ""))).toEqual(["text"]);
    expect(store.state.attached).toBe(true);
  });

  it.each([
    ["a call with another output", toolcall("call", "mine"), toolcall("call", "theirs"), undefined],
    ["a head that moved on", prompt("mine", "s2"), prompt("theirs", "s2"), prompt("before", "s2")],
  ])("cannot be written over %s: it says so, and every later call fails", async (_what, mine, theirs, known) => {
    const { base, store, broken } = await meeting(mine, theirs, known);

    expect(broken).toHaveLength(1);
    expect(broken[0]).toMatchObject({
      code: "store/unavailable",
      data: { ids: [idOf(mine)], cause: "store/conflict" },
    });
    expect((await textsIn(base, mine)).at(-1)).toBe("theirs");
    expect(await textsIn(base, toolcall("beside", ""))).toEqual([]);
    await expect(store.getMany([])).rejects.toMatchObject({ code: "store/unavailable" });
    await expect(store.commit([{ document: mine, expect: "any" }])).rejects.toThrow("open the session anew");
    await expect(store.find({ type: "file" })).rejects.toMatchObject({ code: "store/unavailable" });
    expect(await store.flush(10)).toBe(false);
    expect(store.state).toMatchObject({ broken: true, queuedCommits: 1 });
  });

  it("goes on with its own tokens where their version was kept", async () => {
    const { base, gate, store } = await opened({ assumeAbsent: () => true });
    gate.set("down");
    const provisional = await store.commit([{ document: file("/a", "same"), expect: "absent" }]);
    await base.commit([{ document: file("/a", "same"), expect: "absent" }]);
    gate.set("open");
    await store.flush(1_000);

    await store.commit([{ document: file("/a", "next"), expect: provisional.results[0]?.token ?? "" }]);

    expect(await textsIn(base, file("/a", ""))).toEqual(["same", "next"]);
  });

  it("is settled again where theirs changes while it is settled", async () => {
    const { base, gate, store } = await opened({ assumeAbsent: () => true });
    gate.set("down");
    await store.commit([{ document: file("/a", "mine"), expect: "absent" }]);
    await base.commit([{ document: file("/a", "theirs"), expect: "absent" }]);
    let writes = 0;
    gate.beforeEach = async () => {
      if (writes >= 5) return;
      writes += 1;
      await base.commit([{ document: file("/a", `theirs ${writes}`), expect: "any" }]);
    };
    gate.set("open");

    await store.flush(1_000);

    expect((await textsIn(base, file("/a", ""))).at(-1)).toBe("mine");
    expect(writes).toBe(5);
  });
});
