// @module-tag process
// Verifies: SSOT 5.8, 5.9
import type { GitBinding, Tracker } from "@cm/object-model";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { limits } from "../src/index.ts";
import { recordedGit } from "./support/fake-git.ts";
import { openRepository, type RepositoryForTests } from "./support/repository.ts";

/** A timer that fires when the test says so. */
interface Fired {
  readonly ms: number;
  readonly run: () => void;
}

let repository: RepositoryForTests;
let tracker: Tracker<GitBinding>;
let hints: string[];
let planned: Fired[];
beforeEach(() => {
  planned = [];
  hints = [];
  repository = openRepository({
    random: () => 0.25,
    pollMs: 1_000,
    timer: (ms, run) => {
      const timer = { ms, run };
      planned.push(timer);
      return () => {
        planned = planned.filter((other) => other !== timer);
      };
    },
  });
  tracker = repository.source.track(({ ref, path }) => hints.push(`${ref}:${path}`));
});
afterEach(async () => {
  await tracker.close();
  await repository.close();
});

/** The timers of the tracker, without the one of the idle git. */
const polls = (): readonly Fired[] => planned.filter(({ ms }) => ms !== limits.idleMs);

describe("a tracker", () => {
  it("hints what is on a ref that moved, by its timer and once", async () => {
    repository.commit({ "a.txt": "one" });
    repository.commit({ "a.txt": "one" }, "refs/heads/topic");
    await tracker.follow([
      await repository.binding("a.txt"),
      await repository.binding("b.txt"),
      await repository.binding("a.txt", "topic"),
    ]);
    expect(hints).toEqual([]);

    repository.commit({ "a.txt": "two" });
    polls()[0]?.run();
    await expect.poll(() => hints).toEqual(["main:a.txt", "main:b.txt"]);
    await tracker.settled();
    expect(hints).toHaveLength(2);

    repository.git("update-ref", "-d", "refs/heads/topic");
    await tracker.settled();
    expect(hints.slice(2)).toEqual(["topic:a.txt"]);
  });

  it("waits longer while nothing moves, up to a bound, and spreads its looks", async () => {
    repository.commit({ "a.txt": "one" });
    await tracker.follow([await repository.binding("a.txt")]);
    const waits: number[] = [];

    for (let n = 0; n < 9; n += 1) {
      await expect.poll(() => polls().length).toBe(1);
      waits.push(polls()[0]?.ms ?? 0);
      await tracker.settled();
    }
    expect(waits).toEqual([1_750, 3_500, 7_000, 14_000, 28_000, 52_500, 52_500, 52_500, 52_500]);

    repository.commit({ "a.txt": "two" });
    await tracker.settled();
    await expect.poll(() => polls()[0]?.ms).toBe(875);
  });

  it("says which it cannot see and why, and hints them when it can again", async () => {
    repository.commit({ "a.txt": "one" });
    await tracker.follow([await repository.binding("a.txt")]);
    const state = () => tracker.states().map(({ state: is, reason }) => [is, reason]);
    expect(state()).toEqual([["attached", undefined]]);

    repository.moveAway();
    await tracker.settled();
    expect(state()).toEqual([["orphaned", "the repository is not there"]]);
    expect(hints).toEqual([]);

    repository.moveBack();
    await tracker.settled();
    expect(state()).toEqual([["resumed", undefined]]);
    expect(hints).toEqual(["main:a.txt"]);
  });

  it("starts no process for a look", async () => {
    const { program, calls } = recordedGit(repository.around);
    const recorded = openRepository({ git: program });
    recorded.commit({ "a.txt": "one" });
    const seen: GitBinding[] = [];
    const follows = recorded.source.track((binding) => seen.push(binding));
    await follows.follow([await recorded.binding("a.txt"), await recorded.binding("a.txt", "HEAD")]);
    const before = calls().length;

    for (let n = 0; n < 10; n += 1) {
      recorded.commit({ "a.txt": `${n}` });
      await follows.settled();
    }

    expect(seen).toHaveLength(20);
    expect(calls()).toHaveLength(before);
    await recorded.close();
  });

  it("calls all receivers of a hint even if one throws, fails the waiting call, and goes on", async () => {
    repository.commit({ "a.txt": "one" });
    let count = 0;
    const throwing = repository.source.track(() => {
      count += 1;
      throw new Error("not now");
    });
    await throwing.follow([await repository.binding("a.txt"), await repository.binding("b.txt")]);

    for (let n = 1; n < 3; n += 1) {
      repository.commit({ "a.txt": `text ${n}` });
      await expect(throwing.settled()).rejects.toThrow("not now");
      expect(count).toBe(2 * n);
    }
    await throwing.close();
  });

  it("ends with its source", async () => {
    repository.commit({ "a.txt": "one" });
    await tracker.follow([await repository.binding("a.txt")]);

    await repository.source.close();

    expect(tracker.states()).toMatchObject([{ state: "orphaned", reason: "the source is closed" }]);
    repository.commit({ "a.txt": "two" });
    await tracker.settled();
    await tracker.follow([]);
    expect(hints).toEqual([]);
    expect(polls()).toEqual([]);
  });
});
