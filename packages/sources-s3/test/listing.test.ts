// @module-tag long
// Verifies: SSOT 5.6, 5.11

import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createS3Source, limits } from "../src/index.ts";
import { type FakeBucket, fakeBucket } from "./support/fake-bucket.ts";
import { bounds, credentials } from "./support/one-look.ts";

describe("many known objects of one bucket", () => {
  let bucket: FakeBucket;
  beforeEach(async () => {
    bucket = await fakeBucket();
  });
  afterEach(() => bucket.server.close());

  /** Looks at objects that were all known with ETag "1"; says what is not unchanged, and how often the server was asked. */
  async function look(keys: readonly string[]) {
    const source = createS3Source({ endpoints: [bucket.server.url], credentials });
    const requests = keys.map((key) => ({ binding: bucket.binding(key), known: { sourceHash: "1", hint: "kept" } }));
    const answers = await source.observe(requests, { ...bounds, deadlineMs: 60_000 });
    await source.close();
    expect(answers.filter(({ kind }) => kind === "unchanged")).toEqual(
      Array(answers.filter(({ kind }) => kind === "unchanged").length).fill({
        kind: "unchanged",
        state: { sourceHash: "1", hint: "kept" },
      }),
    );
    const others = answers.flatMap((answer, n) => (answer.kind === "unchanged" ? [] : [[keys[n], answer.kind]]));
    return { others, asked: bucket.server.asked.length };
  }

  const stored = (count: number, folder = "docs/ü b+c%/"): readonly string[] => {
    const keys = Array.from({ length: count }, (_, n) => `${folder}${n}`);
    for (const key of keys) bucket.objects.set(key, "1");
    return keys;
  };

  it("cost one request for a thousand while none has changed", async () => {
    expect(await look(stored(1_000))).toEqual({ others: [], asked: 1 });
  });

  it("cost one more for each that has", async () => {
    const keys = stored(100);
    bucket.objects.set("docs/ü b+c%/7", "2");
    bucket.objects.delete("docs/ü b+c%/9");

    const { others, asked } = await look(keys);

    expect(others).toEqual([
      ["docs/ü b+c%/7", "present"],
      ["docs/ü b+c%/9", "absent"],
    ]);
    // The listing; a text and, as it has no checksum, its length; what is gone, and whether the bucket is there.
    expect(asked).toBe(5);
  });

  it("are asked for one by one where they are few", async () => {
    expect(await look(stored(limits.listFromKeys - 1))).toEqual({ others: [], asked: limits.listFromKeys - 1 });
  });

  it("are asked for one by one where a listing is of another bucket", async () => {
    const keys = stored(20);
    bucket.listedName = "other";

    const { others, asked } = await look(keys);

    expect(others).toEqual([]);
    expect(asked).toBe(limits.attemptsMax + 20);
  });

  it("are asked for one by one, after few pages, where much else lies between them", async () => {
    stored(200, "a");
    bucket.pageEntries = 10;
    const keys = [...bucket.objects.keys()].filter((_, n) => n % 10 === 0);

    const { others, asked } = await look(keys);

    expect(others).toEqual([]);
    expect(asked).toBeLessThanOrEqual(Math.ceil(keys.length / limits.keysPerListedPage) + keys.length);
  });

  it("begin with a whole character, however much of it they share", async () => {
    const keys = ["😀", "😁", "😂"].flatMap((face) => stored(5, face));

    expect(await look(keys)).toEqual({ others: [], asked: 1 });
  });
});
