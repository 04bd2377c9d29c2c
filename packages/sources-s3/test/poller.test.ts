// @module-tag long
// Verifies: SSOT 5.8, 5.9

import { createRandom } from "@cm/testkit";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createS3Source, limits, type S3SourceOptions } from "../src/index.ts";
import { type FakeBucket, fakeBucket } from "./support/fake-bucket.ts";
import { HandTimers } from "./support/hand-timers.ts";

describe("the poller", () => {
  let bucket: FakeBucket;
  let timers: HandTimers;
  let closing: (() => Promise<void>)[];
  beforeEach(async () => {
    bucket = await fakeBucket();
    timers = new HandTimers();
    closing = [bucket.server.close];
  });
  afterEach(async () => {
    for (const close of closing.reverse()) await close();
  });

  /** A tracker whose chances all come out even, unless told otherwise. */
  function tracked(options: S3SourceOptions = {}) {
    const hints: string[] = [];
    const source = createS3Source({
      endpoints: [bucket.server.url],
      credentials: { accessKeyId: "test", secretAccessKey: "testsecret" },
      timers,
      random: () => 0.5,
      ...options,
    });
    closing.push(() => source.close());
    const tracker = source.track(({ key }) => hints.push(key));
    const follow = (...keys: string[]) => tracker.follow(keys.map((key) => bucket.binding(key)));
    return { tracker, source, hints, follow };
  }

  const requests = async (work: () => Promise<unknown>): Promise<number> => {
    const before = bucket.server.asked.length;
    await work();
    return bucket.server.asked.length - before;
  };

  it("waits between two looks, longer and shorter by chance within its share", async () => {
    const random = createRandom(1);
    const { follow } = tracked({ pollMs: 10_000, random: random.fraction });
    await follow("a");

    const pauses: number[] = [];
    for (let n = 0; n < 40; n++) pauses.push(await timers.next());

    const least = 10_000 * (1 - limits.jitterShare);
    const most = 10_000 * (1 + limits.jitterShare);
    expect(pauses.every((pause) => pause >= least && pause <= most)).toBe(true);
    expect(Math.min(...pauses)).toBeLessThan(least + 1_000);
    expect(Math.max(...pauses)).toBeGreaterThan(most - 1_000);
  });

  it("waits twice as long after each failure, up to a bound, and as before once all is well", async () => {
    bucket.objects.set("a", "1");
    const { follow } = tracked({ pollMs: 10_000 });
    await follow("a");
    bucket.busy = true;

    const failing: number[] = [];
    for (let n = 0; n < 8; n++) failing.push(await timers.next());
    bucket.busy = false;
    const well = await timers.next();

    expect(failing).toEqual([20_000, 40_000, 80_000, 160_000, 320_000, 600_000, 600_000, 600_000]);
    expect(limits.pollMsMax).toBe(600_000);
    expect(well).toBe(10_000);
  });

  it("hints at a change, a removal and a creation, and at nothing else", async () => {
    for (const key of ["same", "changed", "removed"]) bucket.objects.set(key, "1");
    const { follow, hints } = tracked();
    await follow("same", "changed", "removed", "created");

    await timers.next();
    const before = [...hints];
    bucket.objects.set("changed", "2");
    bucket.objects.delete("removed");
    bucket.objects.set("created", "1");
    await timers.next();
    const after = [...hints].sort();
    await timers.next();

    expect(before).toEqual([]);
    expect(after).toEqual(["changed", "created", "removed"]);
    expect(hints).toHaveLength(3);
  });

  it("is orphaned while the server does not answer, and resumed with a hint afterwards", async () => {
    bucket.objects.set("a", "1");
    const { follow, hints, tracker } = tracked();
    const states = () => tracker.states().map(({ state, reason }) => [state, reason]);
    await follow("a");
    const attached = states();

    bucket.busy = true;
    await timers.next();
    const orphaned = states();
    bucket.busy = false;
    await timers.next();
    await timers.next();

    expect(attached).toEqual([["attached", undefined]]);
    expect(orphaned).toEqual([["orphaned", "server throttles"]]);
    expect(states()).toEqual([["resumed", undefined]]);
    expect(hints).toEqual(["a"]);
  });

  it("asks once for a thousand objects, with a listing of what they begin with", async () => {
    const keys = Array.from({ length: 1_000 }, (_, n) => `docs/ü b+c%/${n}`);
    for (const key of keys) bucket.objects.set(key, "1");
    const { follow, hints } = tracked();

    expect(await requests(() => follow(...keys))).toBe(1);
    bucket.objects.set("docs/ü b+c%/500", "2");
    expect(await requests(() => timers.next())).toBe(1);
    expect(hints).toEqual(["docs/ü b+c%/500"]);
    expect(bucket.server.asked.every((asked) => asked.includes("prefix=docs%2F"))).toBe(true);
  });

  it("asks one by one for a few objects", async () => {
    const keys = ["a", "b", "c"];
    for (const key of keys) bucket.objects.set(key, "1");
    const { follow } = tracked();

    expect(await requests(() => follow(...keys))).toBe(3);
    expect(await requests(() => timers.next())).toBe(3);
    expect(bucket.server.asked.every((asked) => asked.startsWith("HEAD "))).toBe(true);
  });

  it("gives a listing up where it is longer than it is worth, and does not try again at once", async () => {
    for (let n = 0; n < 500; n++) bucket.objects.set(`f${n}`, "1");
    bucket.pageEntries = 10;
    const { follow } = tracked({ pollMs: 100 });
    const keys = Array.from({ length: 24 }, (_, n) => `f${490 - n}`);

    expect(await requests(() => follow(...keys))).toBeLessThanOrEqual(2 + 24);
    const looks: number[] = [];
    for (let n = 0; n < limits.looksWithoutListing + 1; n++) looks.push(await requests(() => timers.next()));

    expect(looks.slice(0, -1)).toEqual(Array(limits.looksWithoutListing).fill(24));
    expect(looks.at(-1)).toBeGreaterThan(0);
  });

  it("looks less often where it has to ask for many objects one by one", async () => {
    const keys = Array.from({ length: 40 }, (_, n) => `missing/${n}`);
    const { follow, tracker } = tracked({ pollMs: 100 });
    await follow(...keys);

    await tracker.settled();

    expect(timers.pauses).toEqual([(40 * 1_000) / limits.headsPerSecondMax]);
  });

  it("looks at once when it is to settle, and shares that look", async () => {
    bucket.objects.set("a", "1");
    const { follow, hints, tracker } = tracked();
    await follow("a");
    bucket.objects.set("a", "2");

    const asked = await requests(() => Promise.all([tracker.settled(), tracker.settled(), tracker.settled()]));

    expect(hints).toEqual(["a"]);
    expect(asked).toBe(1);
    expect(timers.pauses).toHaveLength(1);
  });

  it("goes on when its listener throws", async () => {
    for (const key of ["a", "b"]) bucket.objects.set(key, "1");
    const { source } = tracked();
    const heard: string[] = [];
    const tracker = source.track(({ key }) => {
      heard.push(key);
      throw new Error("not now");
    });
    await tracker.follow([bucket.binding("a"), bucket.binding("b")]);
    for (const key of ["a", "b"]) bucket.objects.set(key, "2");

    await tracker.settled();

    expect(heard.sort()).toEqual(["a", "b"]);
  });

  it.each(["tracker", "source"] as const)("says and asks no more once its %s is closed", async (closed) => {
    bucket.objects.set("a", "1");
    const { follow, hints, tracker, source } = tracked();
    await follow("a");

    await (closed === "tracker" ? tracker : source).close();
    bucket.objects.set("a", "2");
    const asked = await requests(async () => {
      await tracker.settled();
      await follow("a", "b");
    });

    expect({ asked, hints, pauses: timers.pauses }).toEqual({ asked: 0, hints: [], pauses: [] });
    expect(tracker.states().map(({ state, reason }) => [state, reason])).toEqual([
      ["orphaned", `${closed} closed`],
      ["orphaned", `${closed} closed`],
    ]);
  });

  it("follows no more than its bound, and says so", async () => {
    const { follow, tracker, source } = tracked();
    const keys = Array.from({ length: limits.followedMax + 1 }, (_, n) => `f${n}`);
    for (const key of keys) bucket.objects.set(key, "1");

    await follow(...keys);

    expect(tracker.states().at(-1)).toMatchObject({ state: "orphaned", reason: "too many followed" });
    expect(tracker.states().at(-2)).toMatchObject({ state: "attached" });
    await source.close();
  });

  it("refuses what is no binding of an object", async () => {
    const { tracker } = tracked();

    await expect(tracker.follow([{ type: "s3", bucket: "NO", key: "a" }])).rejects.toMatchObject({
      code: "model/invalid-source",
    });
  });
});
