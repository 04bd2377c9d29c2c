// Verifies: SSOT 5.6: many files without a session.
import { createMemoryStore, objectIdOf } from "@cm/object-model";
import { expect, it } from "vitest";
import { indexFiles } from "../src/index.ts";
import { at, MapSource } from "./support/map-source.ts";
import { intercepted } from "./support/stores.ts";

const batches = [[at("/a"), at("/b")], [at("/c")], [at("/gone")]];

function threeFiles(): MapSource {
  const source = new MapSource();
  for (const path of ["/a", "/b", "/c"]) source.files.set(path, `a key in ${path}`);
  return source;
}

it("stores every file in its newest version, redacted, and counts what it did", async () => {
  const store = createMemoryStore();
  const redact = (text: string) => ({ text: text.replace("key", "[key]"), count: 1 });

  const counts = await indexFiles({ store, source: threeFiles(), redact }, batches);

  const ids = ["/a", "/b", "/c"].map((path) => objectIdOf({ type: "file", source: at(path) }));
  const stored = await store.getMany(ids);
  expect(ids.map((id) => stored.get(id)?.document?.content)).toEqual([
    "a [key] in /a",
    "a [key] in /b",
    "a [key] in /c",
  ]);
  expect(counts).toEqual({ files: 4, outcomes: { created: 3, unknown: 1 }, redactions: 3 });
});

it("writes nothing the second time", async () => {
  const store = createMemoryStore();
  const source = threeFiles();
  await indexFiles({ store, source }, batches);
  const commits: number[] = [];
  const watched = intercepted(store, {
    before(method) {
      if (method === "commit") commits.push(1);
    },
  });

  const counts = await indexFiles({ store: watched, source }, batches);

  expect([commits, counts.outcomes]).toEqual([[], { unchanged: 3, unknown: 1 }]);
});

it("ends with what the store throws, and can be repeated", async () => {
  const store = createMemoryStore();
  let commits = 0;
  const failing = intercepted(store, {
    before(method) {
      if (method !== "commit") return;
      commits += 1;
      if (commits === 2) throw new Error("disk full");
    },
  });
  const source = new MapSource();
  const many = Array.from({ length: 1_100 }, (_, n) => at(`/${n}`));
  for (const { path } of many) source.files.set(path, path);

  const failed = indexFiles({ store: failing, source }, [many]);

  await expect(failed).rejects.toThrow("disk full");
  expect((await indexFiles({ store, source }, [many])).outcomes).toEqual({ unchanged: 512, created: 588 });
});

it("writes a file once that is listed twice, and begins a commit where much text waits", async () => {
  const store = createMemoryStore();
  const sizes: number[] = [];
  const watched = intercepted(store, {
    before(method, [writes]) {
      if (method === "commit" && Array.isArray(writes)) sizes.push(writes.length);
    },
  });
  const source = new MapSource();
  for (const path of ["/a", "/b", "/c"]) source.files.set(path, path.repeat(3 * 1024 * 1024));

  const counts = await indexFiles({ store: watched, source }, [[at("/a")], [at("/a"), at("/b")], [at("/c")]]);

  expect([sizes, counts.files]).toEqual([[2, 1], 3]);
});
