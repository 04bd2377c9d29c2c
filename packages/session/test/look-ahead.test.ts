// Verifies: decision 70, SSOT 5.6: a request that is asked for while a step is written has its look meanwhile.
import { CmError, createMemoryStore, type ObjectStore, objectIdOf } from "@cm/object-model";
import { expect, it } from "vitest";
import { openSession } from "../src/index.ts";
import { at, MapSource } from "./support/map-source.ts";
import { reads, says } from "./support/messages.ts";
import { quietPolicy } from "./support/policies.ts";
import { openSets, rendererFor } from "./support/renderers.ts";
import { intercepted } from "./support/stores.ts";

/** A session that read `/a` and `/b`, with a request open. `commits` runs before and after each commit. */
async function started(commits: Parameters<typeof intercepted>[1] = {}) {
  const files = new MapSource();
  const store: ObjectStore = intercepted(createMemoryStore(), commits);
  const options = {
    store,
    layout: { policy: quietPolicy, renderer: openSets },
    rendererFor,
    sources: [files],
    session: "s",
  };
  const session = await openSession(options);
  for (const path of ["/a", "/b"]) {
    files.files.set(path, `old ${path}`);
    await session.assemble();
    await session.record(reads(path, `read ${path}`));
  }
  await session.assemble();
  files.answers.length = 0;
  return { session, files, store };
}

it("looks once, after it was asked for, beside the commit", async () => {
  let onCommit = (_when: "before" | "after") => {};
  const { session, files, store } = await started({
    before: (method) => (method === "commit" ? onCommit("before") : undefined),
    after: (method) => (method === "commit" ? onCommit("after") : undefined),
  });
  onCommit = (when) => {
    onCommit = (then) => void (then === "after" && files.files.set("/b", "changed behind the look"));
    if (when === "before") files.files.set("/a", "changed before the commit");
  };

  const [receipt, prompt] = await Promise.all([session.record(says("done")), session.assemble()]);

  const shown = JSON.stringify(prompt);
  expect(shown).toContain("changed before the commit");
  expect(shown).not.toContain("behind the look");
  // The look at both, and the one that makes sure of what is new.
  expect(files.answers).toEqual(["present", "unchanged", "unchanged"]);
  expect(receipt.n).toBe(2);
  await session.record(says("again"));
  expect(JSON.stringify(await session.assemble())).toContain("changed behind the look");
  const id = objectIdOf({ type: "file", source: at("/a") });
  expect((await store.getMany([id])).get(id)?.document?.content).toBe("changed before the commit");
});

it("scans by itself where no prefetch ran in time, or the step could not be written", async () => {
  let fails = false;
  const { session, files } = await started({
    before(method) {
      if (method === "commit" && fails) throw new CmError("store/unavailable", "Unplugged.");
    },
  });
  fails = true;
  const answers = await Promise.allSettled([session.record(says("done")), session.assemble()]);
  fails = false;
  await session.record(says("done"));
  files.files.set("/a", "new");

  const prompt = await session.assemble();

  expect(answers[0]).toMatchObject({ status: "rejected", reason: { code: "store/unavailable" } });
  expect(JSON.stringify(prompt)).toContain("new");
});
