// Verifies: SSOT 5.8, F8
import { createRandom, plannedSeeds } from "@cm/testkit";
import { describe, expect, it, onTestFinished } from "vitest";
import { type FileFact, possiblyChanged } from "../src/track/file-fact.ts";
import { SettleLoop } from "../src/track/settle-loop.ts";
import { SettleQueue } from "../src/track/settle-queue.ts";

const bounds = { settleMs: 60, settleWaitMs: 1_000 };

describe("the settle queue", () => {
  it("gives a path back once it was quiet for long enough", () => {
    const queue = new SettleQueue<string>(bounds);

    queue.touch("a", 0);
    queue.touch("a", 40);

    expect(queue.nextAt()).toBe(100);
    expect(queue.due(99)).toEqual([]);
    expect(queue.due(100)).toEqual(["a"]);
    expect(queue.nextAt()).toBeUndefined();
  });

  it("gives a path back that never gets quiet", () => {
    const queue = new SettleQueue<string>(bounds);

    const at = Array.from({ length: 300 }, (_, n) => n * 10).filter((now) => queue.touch("busy", now));

    expect(at).toEqual([1_000, 2_010]);
  });

  it("never gives back too early, never too late, and loses nothing", () => {
    for (const seed of plannedSeeds({ runs: 20 })) {
      const random = createRandom(seed);
      const queue = new SettleQueue<number>(bounds);
      const model = new Map<number, { firstAt: number; lastAt: number }>();
      for (let now = 0; now < 4_000; now += 1 + random.below(30)) {
        const path = random.below(10);
        const firstAt = model.get(path)?.firstAt ?? now;
        const overdue = queue.touch(path, now);
        expect(overdue, `seed ${seed}: CM_SEED=${seed}`).toBe(now - firstAt >= bounds.settleWaitMs);
        if (overdue) model.delete(path);
        else model.set(path, { firstAt, lastAt: now });

        const due = queue.due(now);

        const expected = [...model].filter(([, { lastAt }]) => now - lastAt >= bounds.settleMs).map(([key]) => key);
        expect([...due].sort(), `seed ${seed}: CM_SEED=${seed}`).toEqual(expected.sort());
        for (const key of due) model.delete(key);
        expect([...queue.waiting()].sort()).toEqual([...model.keys()].sort());
      }
    }
  });
});

describe("waiting for what is under way", () => {
  it("takes a second look where a change came during the first", async () => {
    const loop = new SettleLoop({ settleMs: 1, settleWaitMs: 1_000 });
    onTestFinished(() => loop.close());
    const [begun, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    let looks = 0;
    const thing = {
      async scan() {
        looks += 1;
        begun.resolve();
        await release.promise;
      },
    };
    loop.touch(thing);
    await begun.promise;

    loop.touch(thing);
    const flushed = loop.flushed(60_000).then(() => looks);
    release.resolve();

    expect(await flushed).toBe(2);
  });

  it("ends after its time where a look never ends", async () => {
    const loop = new SettleLoop({ settleMs: 1, settleWaitMs: 1_000 });
    onTestFinished(() => loop.close());
    loop.touch({ scan: () => new Promise(() => undefined) });

    await loop.flushed(5);
  });
});

describe("two looks at a file", () => {
  const fact = (text: string, racy = false): FileFact => ({ text, racy });

  it.each<[string, FileFact | undefined, FileFact, boolean]>([
    ["that was never looked at", undefined, fact("1"), true],
    ["with other attributes", fact("1"), fact("2"), true],
    ["with the same attributes", fact("1"), fact("1"), false],
    ["with the same attributes, changed just before the first look", fact("1", true), fact("1"), true],
    ["with the same attributes, changed just before the second look", fact("1"), fact("1", true), false],
  ])("%s: %j, then %j", (_what, before, after, expected) => {
    expect(possiblyChanged(before, after)).toBe(expected);
  });
});
