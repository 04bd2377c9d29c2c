// Verifies: SSOT 4.4, decision 75: steps that an earlier layout wrote are still read, and erased ones cause no wrong
// decision.
import { createMemoryStore, type ObjectStore } from "@cm/object-model";
import { describe, expect, it } from "vitest";
import { openSession, rebuildPrompts, type Session } from "../src/index.ts";
import { all } from "./support/all.ts";
import { result, runs, says } from "./support/messages.ts";
import { quietPolicy, recallsOf } from "./support/policies.ts";
import { openLog, rendererFor } from "./support/renderers.ts";
import { snapshot } from "./support/snapshot.ts";
import { intercepted } from "./support/stores.ts";

describe("a step whose decision names what it recalled by the object alone", () => {
  it("is read as one that brought it back into the newest result, and rebuilt to the byte", async () => {
    const { session, store, open } = await withRecall();
    const before = snapshot(session);
    expect(recalledIn(session)).toMatchObject([{ object: "c0", into: 5, text: "output 0" }]);

    const old = withStep(store, 3, { decision: { recall: ["c0"] } });

    const resumed = await open(old);
    expect(snapshot(resumed)).toEqual(before);
    const rebuilt = await all(rebuildPrompts(old, "s", rendererFor));
    expect(rebuilt.map(({ n, hash, recordedHash }) => [n, hash === recordedHash])).toEqual(
      [0, 1, 2, 3, 4].map((n) => [n, true]),
    );
  });

  it("goes on under a layout of today, where the one that wrote it is not there any more", async () => {
    const { store, open } = await withRecall();
    const resumed = await open(withStep(store, 3, { decision: { recall: ["c0"] }, layout: "log/2" }));
    await resumed.assemble();
    const { n } = await resumed.record(says("on"));

    await expect(resumed.promptAt(3)).rejects.toMatchObject({ code: "session/unknown-layout" });
    expect(await resumed.promptAt(n)).toMatchObject({ complete: true });
    expect(recalledIn(resumed)).toMatchObject([{ object: "c0", text: "output 0" }]);
  });
});

describe("a step behind one that was erased", () => {
  it("brings text back into a result that is there", async () => {
    const { store, open } = await withRecall();
    await store.erase(["step:s:1"], "a leaked key");

    const { log } = (await open()).view();

    const [note] = log.filter(({ kind }) => kind === "recalled");
    const place = note?.kind === "recalled" ? note.into : -1;
    expect(note).toMatchObject({ text: "output 0" });
    expect(log[place]).toMatchObject({ kind: "result", callId: "c2" });
  });

  it("keeps the place of what was brought back before it", async () => {
    const { store, open } = await withRecall();
    await store.erase(["step:s:4"], "a leaked key");

    expect(recalledIn(await open())).toMatchObject([{ object: "c0", into: 5, text: "output 0" }]);
  });
});

const recalledIn = (session: Session) => session.view().log.filter(({ kind }) => kind === "recalled");

/** Three calls, then a step that brings the first output back, and one more. */
async function withRecall() {
  const store = createMemoryStore();
  const policy = { ...quietPolicy, decide: recallsRequested };
  const open = (from: ObjectStore = store) =>
    openSession({
      store: from,
      layout: { policy, renderer: openLog },
      rendererFor,
      session: "s",
      now: () => 1,
      tellResumed: false,
    });
  const session = await open();
  for (const n of [0, 1, 2]) {
    await session.assemble();
    await session.record(runs(result(`c${n}`, `output ${n}`)));
  }
  await session.command({ action: "hide", id: "c0" });
  await session.command({ action: "activate", id: "c0" });
  for (const text of ["brought back", "done"]) {
    await session.assemble();
    await session.record(says(text));
  }
  return { session, store, open };
}

function recallsRequested(view: Parameters<typeof quietPolicy.decide>[0]) {
  return { recall: recallsOf(view, view.sets.requested) };
}

/**
 * Gives a step back with other fields, as an earlier version of ours wrote it; the hash that its head vouches for
 * stays.
 */
function withStep(store: ObjectStore, n: number, fields: object): ObjectStore {
  return {
    ...intercepted(store, {}),
    async getMany(ids, asOf) {
      const found = new Map(await store.getMany(ids, asOf));
      const step = found.get(`step:s:${n}`);
      if (step?.document !== undefined)
        found.set(step.id, { ...step, document: { ...step.document, ...fields } as typeof step.document });
      return found;
    },
  };
}
