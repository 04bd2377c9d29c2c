// Verifies: SSOT 3.6, decision 0045, F16: what opening a session reads grows with its steps and objects, and not with
// the versions of its files.
import { createMemoryStore, type ObjectStore } from "@cm/object-model";
import { describe, expect, it } from "vitest";
import { openSession } from "../src/index.ts";
import { MapSource } from "./support/map-source.ts";
import { reads } from "./support/messages.ts";
import { quietPolicy } from "./support/policies.ts";
import { openLog } from "./support/renderers.ts";
import { intercepted, type Method } from "./support/stores.ts";

const files = 10;

describe.each([40, 160])("opening a session of %i steps in which ten files change again and again", (steps) => {
  it("takes as many reads as for any other, and reads each file once", async () => {
    const { store, source, open } = await written(steps);
    const { counted, calls, ids } = counting(store);

    const session = await open(counted);

    // One file had another version when the newest request but one was made.
    expect(calls.filter((method) => method === "history").length).toBeLessThanOrEqual(1);
    // Five of them for a keyframe and what stood in the prompt then.
    expect(calls.filter((method) => method === "getMany").length).toBeLessThanOrEqual(steps < 100 ? 6 : 11);
    // Steps, calls and files, which were others at the keyframe; heads, system prompt and lease; what the look before
    // resuming compares with; and steps beside the path's end that were read with it.
    expect(ids()).toBeLessThanOrEqual(steps < 100 ? 2 * steps + files + 10 : 2 * steps + 2 * files + 80);
    const texts = (await session.objects()).filter(({ kind }) => kind === "file").map(({ text }) => text);
    expect(texts).toEqual([...source.files.values()]);
  });
});

describe("a past request", () => {
  it("is rebuilt in as many reads, whatever the files became since", async () => {
    const { store, open } = await written(60);
    const { counted, calls } = counting(store);
    const session = await open(counted);
    calls.length = 0;

    const { hash, recordedHash } = await session.promptAt(30);

    expect(hash).toBe(recordedHash);
    expect(calls.length).toBeLessThanOrEqual(8);
  });
});

/** A session in which each step reads the next of some files, which changed just before. */
async function written(steps: number) {
  const store = createMemoryStore();
  const source = new MapSource();
  const open = (from: ObjectStore) =>
    openSession({ store: from, layout: { policy: quietPolicy, renderer: openLog }, session: "s", sources: [source] });
  const session = await open(store);
  for (let n = 0; n < steps; n += 1) {
    const path = `/${n % files}`;
    source.files.set(path, `text ${n}`);
    await session.assemble();
    await session.record(reads(path, `text ${n}`, `call_${n}`));
  }
  await session.abandon();
  return { store, source, open };
}

function counting(store: ObjectStore) {
  const calls: Method[] = [];
  let ids = 0;
  const counted = intercepted(store, {
    before: (method, [first]) => {
      calls.push(method);
      if (method === "getMany" && Array.isArray(first)) ids += first.length;
    },
  });
  return { counted, calls, ids: () => ids };
}
