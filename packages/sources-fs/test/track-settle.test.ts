// Verifies: SSOT 5.8, F8
import { createRandom, plannedSeeds } from "@cm/testkit";
import { describe, expect, it } from "vitest";
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
