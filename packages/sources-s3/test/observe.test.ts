// @module-tag process
// Verifies: SSOT 5.6, 5.11
import { afterEach, expect, it } from "vitest";
import { bounds, closeSources, freshBucket, observed, sourceOn, withServer } from "./support/s3-world.ts";

withServer("a source of objects in S3", () => {
  afterEach(closeSources);

  it("gives the text with the ETag of the same answer", async () => {
    const bucket = await freshBucket();
    const etag = await bucket.put("notes/today.md", "grüße\n");

    const observation = await observed(sourceOn(), { binding: bucket.binding("notes/today.md") });

    expect(observation).toEqual({
      kind: "present",
      sourceHash: etag,
      content: { text: "grüße\n" },
      state: { sourceHash: etag },
    });
  });

  it.each([
    ["nothing", "", { text: "" }],
    ["a byte order mark", "\u{feff}a", { text: "\u{feff}a" }],
    ["a NUL", "a\0b", { text: "a\0b" }],
    ["bytes that are no UTF-8", Buffer.from([0x66, 0xff, 0x66]), { withheld: "binary" }],
    ["half a character at the end", Buffer.from("ü").subarray(0, 1), { withheld: "binary" }],
  ])("keeps %s as it is", async (_what, body, content) => {
    const bucket = await freshBucket();
    await bucket.put("a", body);

    expect(await observed(sourceOn(), { binding: bucket.binding("a") })).toMatchObject({ kind: "present", content });
  });

  it.each([
    [99, { withheld: "too_large" }],
    [100, { text: "x".repeat(100) }],
    [101, { text: "x".repeat(100) }],
  ])("withholds what is longer than %i bytes, with its ETag", async (contentBytesMax, content) => {
    const bucket = await freshBucket();
    const etag = await bucket.put("a", "x".repeat(100));

    const observation = await observed(sourceOn(), { binding: bucket.binding("a") }, { contentBytesMax });

    expect(observation).toMatchObject({ kind: "present", sourceHash: etag, content });
  });

  it("says unchanged for the ETag it knows, and gives what changed", async () => {
    const bucket = await freshBucket();
    const etag = await bucket.put("a", "one");
    const source = sourceOn();
    const request = { binding: bucket.binding("a"), known: { sourceHash: etag, hint: "kept" } };

    const before = await observed(source, request);
    const next = await bucket.put("a", "two");
    const after = await observed(source, request);

    expect(before).toEqual({ kind: "unchanged", state: { sourceHash: etag, hint: "kept" } });
    expect(after).toMatchObject({ kind: "present", sourceHash: next, content: { text: "two" } });
  });

  it("takes a known hash that was never an ETag for one that differs", async () => {
    const bucket = await freshBucket();
    await bucket.put("a", "one");
    const request = { binding: bucket.binding("a"), known: { sourceHash: 'x"\r\nevil: 1' } };

    expect(await observed(sourceOn(), request)).toMatchObject({ kind: "present", content: { text: "one" } });
  });

  it("tells a missing key from a missing bucket", async () => {
    const bucket = await freshBucket();
    const gone = await freshBucket();
    await gone.drop();
    const source = sourceOn();
    const requests = [bucket.binding("a"), gone.binding("a")].flatMap((binding) => [
      { binding },
      { binding, want: "existence" as const },
      { binding, known: { absent: true as const } },
      { binding, known: { sourceHash: "a".repeat(32) } },
    ]);

    const answers = await source.observe(requests, bounds);

    expect(answers).toEqual([
      ...Array(4).fill({ kind: "absent" }),
      ...Array(4).fill({ kind: "unreachable", reason: "bucket missing" }),
    ]);
  });

  it("says that an object exists without reading it", async () => {
    const bucket = await freshBucket();
    await bucket.put("a", "x".repeat(1_000));

    const answer = await observed(
      sourceOn(),
      { binding: bucket.binding("a"), want: "existence" },
      { contentBytesMax: 1 },
    );

    expect(answer).toEqual({ kind: "exists" });
  });

  it("takes the ETag of an upload in parts as it is", async () => {
    const bucket = await freshBucket();
    const parts = ["a".repeat(5 * 1_048_576), "the end"];
    const etag = await bucket.putInParts("big", parts);
    const source = sourceOn();

    const read = await observed(source, { binding: bucket.binding("big") }, { contentBytesMax: 8 * 1_048_576 });
    const again = await observed(source, {
      binding: bucket.binding("big"),
      ...("state" in read ? { known: read.state } : {}),
    });

    expect(etag).toMatch(/^[0-9a-f]{32}-2$/);
    expect(read).toMatchObject({ kind: "present", sourceHash: etag });
    expect(read).toHaveProperty("content.text", parts.join(""));
    expect(again.kind).toBe("unchanged");
  });

  it.each(["a b+c%20&=?#3.txt", "ünïcode/日本/😀", "./a", "quote\"'<&>", "back\\slash", `${"k".repeat(1_020)}.txt`])(
    "reads the key %j to the letter",
    async (key) => {
      const bucket = await freshBucket();
      await bucket.put(key, "here");

      const observation = await observed(sourceOn(), { binding: bucket.binding(key) });

      expect(observation).toMatchObject({ kind: "present", content: { text: "here" } });
    },
  );

  it("answers a large batch in order", async () => {
    const bucket = await freshBucket();
    const keys = Array.from({ length: 120 }, (_, n) => `f${n}`);
    const etags = new Map<string, string>();
    for (const [n, key] of keys.entries()) if (n % 3 > 0) etags.set(key, await bucket.put(key, key));
    const source = sourceOn();
    const kinds = (n: number) => ["absent", "present", "unchanged"][n % 3];
    const requests = keys.map((key, n) => {
      const binding = bucket.binding(key);
      const sourceHash = etags.get(key) ?? "";
      return n % 3 === 2 ? { binding, known: { sourceHash } } : { binding };
    });

    const answers = await source.observe(requests, bounds);

    expect(answers.map(({ kind }) => kind)).toEqual(keys.map((_, n) => kinds(n)));
    expect(answers.flatMap((answer) => ("content" in answer ? [answer.content] : []))).toEqual(
      keys.filter((_, n) => n % 3 === 1).map((key) => ({ text: key })),
    );
  });

  it("answers nothing but unreachable once it is closed", async () => {
    const bucket = await freshBucket();
    await bucket.put("a", "one");
    const source = sourceOn();
    await observed(source, { binding: bucket.binding("a") });

    await source.close();

    expect(await observed(source, { binding: bucket.binding("a") })).toEqual({
      kind: "unreachable",
      reason: "source closed",
    });
  });
});
