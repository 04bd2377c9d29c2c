// Verifies: F4: answers that are late, lost, or of another time than they seem.
import { describe, expect, it } from "vitest";
import { idOf, prompt, textIn, textsIn, toolcall } from "./support/documents.ts";
import { opened } from "./support/opened.ts";
import { until } from "./support/quick-wait.ts";

const withCode = (code: string) => expect.objectContaining({ code });
const call = toolcall("call", "text");

describe("a call that is never answered", () => {
  it("is sent again if it is a commit, and made once", async () => {
    const { base, gate, store } = await opened();
    gate.set("hanging");
    await store.commit([{ document: call, expect: "absent" }]);
    gate.drop();
    gate.set("open");

    await until(() => store.state.attached);

    expect(await textsIn(base, call)).toEqual(["text"]);
  });

  it("does not prevent requests to the base in the next outage", async () => {
    const { base, gate, store } = await opened();
    await base.commit([{ document: toolcall("of others", "text"), expect: "any" }]);
    gate.set("hanging");
    await store.commit([{ document: call, expect: "absent" }]);
    gate.drop();
    gate.set("open");
    await until(() => store.state.attached);
    gate.set("down");
    await store.commit([{ document: prompt("second"), expect: "any" }]);
    gate.set("open");

    const found = await textIn(store, toolcall("of others", ""));

    expect(found).toBe("text");
  });

  it("is asked anew if it was the probe", async () => {
    const { gate, store } = await opened();
    gate.set("hanging");
    await textIn(store, prompt(""));
    const asked = gate.calls;
    await until(() => gate.calls > asked);
    gate.drop();
    gate.set("open");

    await until(() => store.state.attached);

    expect(store.state.queuedCommits).toBe(0);
  });
});

describe("while a commit is under way", () => {
  it("an unknown id does not wait for the base", async () => {
    const { gate, store } = await opened({ assumeAbsent: () => true });
    gate.set("hanging");
    await store.commit([{ document: call, expect: "absent" }]);
    const asked = gate.calls;

    expect((await store.getMany(["unknown"])).size).toBe(0);

    expect(gate.calls).toBe(asked);
    gate.set("open");
    await store.flush(10_000);
  });

  it("and has no room, it is open what becomes of it; one that was refused is not written", async () => {
    const { base, gate, store } = await opened({ queueBytesMax: 100 });
    gate.set("down");
    await expect(store.commit([{ document: call, expect: "absent" }])).rejects.toEqual(withCode("store/unavailable"));
    gate.set("open");
    await store.flush(10_000);
    gate.set("hanging");

    const open = store.commit([{ document: call, expect: "absent" }]);

    await expect(open).rejects.toEqual(withCode("store/unknown-outcome"));
    gate.set("open");
    await until(() => store.state.attached);
    expect(await textsIn(base, call)).toEqual(["text"]);
  });

  it("and nothing of the base is known yet, it is waited for", async () => {
    const { gate, store } = await opened({}, { isFresh: true });
    gate.set("hanging");
    const committing = store.commit([{ document: call, expect: "absent" }]);
    await until(() => !store.state.attached);
    gate.set("open");

    expect((await committing).results[0]?.outcome).toBe("written");
    await until(() => store.state.attached);
  });
});

describe("what is known", () => {
  it("is not taken back by a read that began before it", async () => {
    const { gate, store } = await opened();
    const { promise: heard, resolve: hear } = Promise.withResolvers<void>();
    let answers = 0;
    gate.afterEach = async () => {
      answers += 1;
      if (answers === 1) await heard;
    };
    const reading = store.getMany([idOf(prompt(""))]);
    await until(() => answers === 1);
    const { results } = await store.commit([{ document: prompt("second"), expect: "any" }]);
    hear();
    await reading;
    gate.set("down");

    const third = store.commit([{ document: prompt("third"), expect: results[0]?.token ?? "" }]);

    await expect(third).resolves.toMatchObject({ results: [{ outcome: "written" }] });
    await store.close();
  });

  it("is forgotten when it is erased", async () => {
    const { gate, store } = await opened();
    await store.commit([{ document: call, expect: "absent" }]);
    await store.erase(["call"], "not needed");
    gate.set("down");

    await expect(store.getMany(["call"])).rejects.toEqual(withCode("store/unavailable"));

    await store.close();
  });

  it("does not make the basis older by reading what is old", async () => {
    const { gate, store } = await opened({ now: () => 42 });
    const { basis } = await store.commit([{ document: call, expect: "absent" }]);
    await textIn(store, prompt(""));
    gate.set("down");

    const provisional = await store.commit([{ document: prompt("second"), expect: "any" }]);

    expect(provisional.basis).toBe(basis);
    await store.close();
  });
});

it("is not attached before what came during the probe is written", async () => {
  const { base, gate, store } = await opened();
  gate.set("down");
  await textIn(store, prompt(""));
  let committed = false;
  gate.beforeEach = async () => {
    if (committed) return;
    committed = true;
    await store.commit([{ document: call, expect: "absent" }]);
  };
  gate.set("open");

  await until(() => store.state.attached);

  expect({ committed, queued: store.state.queuedCommits }).toEqual({ committed: true, queued: 0 });
  expect(await textsIn(base, call)).toEqual(["text"]);
});

it("knows the token of what says the same, also where that was written while it was compared", async () => {
  const { base, gate, store } = await opened({ assumeAbsent: () => true });
  gate.set("down");
  const provisional = await store.commit([{ document: call, expect: "absent" }]);
  await base.commit([{ document: toolcall("call", "theirs"), expect: "absent" }]);
  let calls = 0;
  gate.beforeEach = async () => {
    calls += 1;
    // Between the conflict and the look at what is there.
    if (calls === 2) await base.commit([{ document: call, expect: "any" }]);
  };
  gate.set("open");
  await store.flush(10_000);

  const next = store.commit([{ document: toolcall("call", "next"), expect: provisional.results[0]?.token ?? "" }]);

  await expect(next).resolves.toMatchObject({ results: [{ outcome: "written" }] });
});
