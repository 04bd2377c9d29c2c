// Verifies: F4 and F17 as far as a store goes: one that is offline is written to later.
import { type CommitReceipt, limits } from "@cm/object-model";
import { describe, expect, it } from "vitest";
import { file, idOf, prompt, textIn, textsIn, toolcall } from "./support/documents.ts";
import type { GateState } from "./support/gate.ts";
import { opened } from "./support/opened.ts";
import { until } from "./support/quick-wait.ts";

const withCode = (code: string) => expect.objectContaining({ code });
const tokenOf = ({ results }: CommitReceipt) => results[0]?.token ?? "";

describe.each<GateState>(["down", "hanging", "lossy"])("while the base is %s", (state) => {
  it("gives provisional receipts, and writes the commits them in their order when it is back", async () => {
    const { base, gate, store } = await opened();
    gate.set(state);

    const second = await store.commit([{ document: prompt("second"), expect: "any" }]);
    await store.commit([{ document: prompt("third"), expect: tokenOf(second) }]);
    await store.commit([{ document: toolcall("call", "text"), expect: "absent" }]);
    gate.set("open");

    expect(await store.flush(1_000)).toBe(true);
    expect(await textsIn(base, prompt(""))).toEqual(["first", "second", "third"]);
    expect(await textIn(base, toolcall("call", ""))).toBe("text");
    expect(store.state).toEqual({ attached: true, queuedCommits: 0, queuedBytes: 0 });
  });
});

describe("while the base is down", () => {
  it("names in its receipts a basis of the base", async () => {
    const { base, gate, store } = await opened();
    gate.set("down");

    const { basis, transactionTime } = await store.commit([{ document: prompt("second"), expect: "any" }]);

    const [id] = [idOf(prompt(""))];
    expect((await base.getMany([id], basis)).get(id)?.document?.content).toBe("first");
    expect(transactionTime.getTime()).toBeLessThanOrEqual(Date.now());
  });

  it("reads what is queued and what it knew, and nothing else", async () => {
    const { gate, store, base } = await opened({ assumeAbsent: (id) => id === "new call" });
    await base.commit([{ document: toolcall("of others", "text"), expect: "any" }]);
    gate.set("down");
    await store.commit([{ document: toolcall("queued", "text"), expect: "absent" }]);

    const found = await store.getMany(["queued", idOf(prompt("")), "new call"]);

    expect([...found.keys()].sort()).toEqual(["queued", idOf(prompt(""))]);
    await expect(store.getMany(["of others"])).rejects.toEqual(withCode("store/unavailable"));
    await expect(store.history("queued")).rejects.toEqual(withCode("store/unavailable"));
    await expect(store.find({ type: "toolcall" })).rejects.toEqual(withCode("store/unavailable"));
    await expect(store.erase(["queued"], "not needed")).rejects.toEqual(withCode("store/unavailable"));
  });

  it("keeps what can change, however much is written that cannot", async () => {
    const { gate, store } = await opened({ knownBytesMax: 64_000 });
    const first = file("/first", "text");
    await store.commit([{ document: first, expect: "absent" }]);
    for (let n = 0; n < 80; n += 1) {
      await store.commit([{ document: toolcall(`call ${n}`, "x".repeat(1_000)), expect: "absent" }]);
    }
    gate.set("down");

    expect(await textIn(store, first)).toBe("text");
    expect(await textIn(store, toolcall("call 79", ""))).toBe("x".repeat(1_000));
    await expect(store.getMany(["call 0"])).rejects.toEqual(withCode("store/unavailable"));
  });

  it("checks expectations and documents as far as it knows", async () => {
    const { gate, store } = await opened();
    gate.set("down");
    const first = await store.commit([{ document: toolcall("call", "text"), expect: "absent" }]);
    await store.commit([{ document: toolcall("call", "other"), expect: tokenOf(first) }]);

    const stale = store.commit([{ document: toolcall("call", "late"), expect: tokenOf(first) }]);
    const again = store.commit([{ document: toolcall("call", "text"), expect: "absent" }]);
    const forged = store.commit([{ document: { ...prompt("x"), content: "y" }, expect: "any" }]);

    await expect(stale).rejects.toMatchObject({ code: "store/conflict", data: { ids: ["call"] } });
    await expect(again).rejects.toEqual(withCode("store/conflict"));
    await expect(forged).rejects.toEqual(withCode("store/invalid-document"));
    const ids = Array.from({ length: limits.idsPerReadMax + 1 }, (_, n) => `${n}`);
    await expect(store.getMany(ids)).rejects.toEqual(withCode("store/limit"));
    expect(store.state.queuedCommits).toBe(2);
  });

  it("takes a commit that says what holds for unchanged", async () => {
    const { base, gate, store } = await opened();
    gate.set("down");

    const { results } = await store.commit([{ document: prompt("first"), expect: "any" }]);
    gate.set("open");
    await store.flush(1_000);

    expect(results[0]?.outcome).toBe("unchanged");
    expect(await textsIn(base, prompt(""))).toEqual(["first"]);
  });

  it("goes on with provisional tokens after they became real", async () => {
    const { base, gate, store } = await opened();
    gate.set("down");
    const provisional = await store.commit([{ document: prompt("second"), expect: "any" }]);
    gate.set("open");
    await store.flush(1_000);

    await store.commit([{ document: prompt("third"), expect: tokenOf(provisional) }]);
    const stale = store.commit([{ document: prompt("fourth"), expect: tokenOf(provisional) }]);

    await expect(stale).rejects.toEqual(withCode("store/conflict"));
    expect(await textsIn(base, prompt(""))).toEqual(["first", "second", "third"]);
  });

  it("gives a repeated request its receipt again, queued and written", async () => {
    const { base, gate, store } = await opened();
    gate.set("down");
    const write = () => store.commit([{ document: prompt("second"), expect: "any" }], { requestId: "r-1" });

    const first = await write();
    const queued = await write();
    gate.set("open");
    await store.flush(1_000);
    const written = await write();

    expect([queued, written]).toEqual([first, first]);
    const other = store.commit([{ document: prompt("other"), expect: "any" }], { requestId: "r-1" });
    await expect(other).rejects.toEqual(withCode("store/request-reused"));
    expect(await textsIn(base, prompt(""))).toEqual(["first", "second"]);
  });

  it("accepts nothing beyond its room, and nothing before it knows a basis", async () => {
    const { gate, store } = await opened({ queueBytesMax: 2_000 });
    gate.set("down");
    await store.commit([{ document: toolcall("small", "text"), expect: "absent" }]);

    const large = store.commit([{ document: toolcall("large", "x".repeat(2_000)), expect: "absent" }]);

    await expect(large).rejects.toMatchObject({ code: "store/unavailable", data: { limit: "queueBytesMax" } });
    expect(store.state.queuedCommits).toBe(1);
  });

  it("tells its listeners since when and why", async () => {
    const { gate, store } = await opened({ now: () => 42 });
    const heard: (readonly [boolean, number])[] = [];
    store.onChange(() => {
      throw new Error("a listener's own fault");
    });
    const end = store.onChange(({ attached, queuedCommits }) => heard.push([attached, queuedCommits]));
    gate.set("down");

    await store.commit([{ document: file("/a", "text"), expect: "any" }]);
    const { since, reason, code } = store.state;
    gate.set("open");
    await store.flush(1_000);
    end();

    expect({ since, reason, code }).toEqual({
      since: 42,
      reason: "The gate is shut; open it.",
      code: "store/unavailable",
    });
    expect(heard).toEqual([
      [false, 0],
      [false, 1],
      [false, 0],
      [true, 0],
    ]);
  });

  it("is asked again by itself", async () => {
    const { base, gate, store } = await opened();
    gate.set("down");
    await store.commit([{ document: prompt("second"), expect: "any" }]);
    const before = gate.calls;
    await until(() => gate.calls > before + 3);
    gate.set("open");

    await until(() => store.state.attached);

    expect(await textIn(base, prompt(""))).toBe("second");
  });

  it("loses its queue when it is closed, and says that it is closed", async () => {
    const { base, gate, store } = await opened();
    gate.set("down");
    await store.commit([{ document: prompt("second"), expect: "any" }]);

    await store.close();
    gate.set("open");

    await expect(store.getMany([])).rejects.toEqual(withCode("store/closed"));
    expect(await store.flush(10)).toBe(false);
    await expect(base.getMany([])).rejects.toEqual(withCode("store/closed"));
  });
});

describe("while the base hangs", () => {
  it("counts the late answer of a commit that was under way", async () => {
    const { base, gate, store } = await opened();
    gate.set("hanging");
    await store.commit([{ document: toolcall("call", "text"), expect: "absent" }]);
    const asked = gate.calls;
    gate.set("open");

    await store.flush(1_000);

    // The commit itself was not sent again: only the probe came.
    expect(gate.calls).toBe(asked + 1);
    expect(await textsIn(base, toolcall("call", ""))).toEqual(["text"]);
  });

  it("answers reads by what it knows without asking, and waits for what it does not know while attached", async () => {
    const { base, gate, store } = await opened();
    await base.commit([{ document: toolcall("of others", "text"), expect: "any" }]);
    gate.set("hanging");

    const waiting = store.getMany(["of others"]);
    const known = await textIn(store, prompt(""));
    const asked = gate.calls;
    await textIn(store, prompt(""));
    const askedAgain = gate.calls;
    gate.set("open");

    expect(known).toBe("first");
    expect(askedAgain - asked).toBeLessThanOrEqual(1);
    expect((await waiting).get("of others")?.document?.content).toBe("text");
    await until(() => store.state.attached);
  });
});
