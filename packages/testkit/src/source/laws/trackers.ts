import assert from "node:assert/strict";
import type { SourceBinding, Tracker, TrackingState } from "@cm/object-model";
import { find, inTime, putText, textOf } from "../asking.ts";
import type { SourceLaw } from "../source-case.ts";
import type { SourceSubject } from "../source-subject.ts";

/** A tracker and what it has hinted so far. */
interface Watch {
  readonly tracker: Tracker;
  readonly hints: SourceBinding[];
  follow(bindings: readonly SourceBinding[]): Promise<void>;
  settled(): Promise<void>;
}

/** Runs the body with a tracker; a source without one has no law here. */
async function watching({ source }: SourceSubject, body: (watch: Watch) => Promise<void>): Promise<void> {
  const hints: SourceBinding[] = [];
  let wordsMax = 0;
  const onHint = (...said: readonly SourceBinding[]): void => {
    wordsMax = Math.max(wordsMax, said.length);
    hints.push(...said.map((binding) => structuredClone(binding)));
  };
  const tracker = source.track?.(onHint);
  if (tracker === undefined) return;
  try {
    await body({
      tracker,
      hints,
      follow: (bindings) => inTime(tracker.follow(bindings), "The end of follow()"),
      settled: () => inTime(tracker.settled(), "The end of settled()"),
    });
    assert.ok(wordsMax <= 1, "A hint is a binding and nothing else.");
  } finally {
    await inTime(tracker.close(), "The end of the tracker");
  }
}

const following: ReadonlySet<TrackingState> = new Set(["attached", "resumed"]);

function isFollowing({ tracker }: Watch): boolean {
  return tracker.states().some(({ state }) => following.has(state));
}

/** What came of a change: the hints from before it up to the settled tracker. */
async function hintsOf({ hints, settled }: Watch, change: () => Promise<unknown>): Promise<readonly SourceBinding[]> {
  hints.length = 0;
  await change();
  await settled();
  return [...hints];
}

function includes(hints: readonly SourceBinding[], binding: SourceBinding): boolean {
  return hints.some((hint) => sameBinding(hint, binding));
}

/** Equal by value, whatever the order of the fields; a field more is a difference. */
function sameBinding(one: SourceBinding, other: SourceBinding): boolean {
  try {
    assert.deepEqual({ ...one }, { ...other });
    return true;
  } catch {
    return false;
  }
}

export const trackers: readonly SourceLaw[] = [
  {
    id: "SRC-022",
    clause: "SSOT 5.9",
    title: "What is followed is listed once, in order and as attached; what cannot be watched is not attached.",
    async holds(subject) {
      const { world } = subject;
      const a = await putText(subject, "folder/a.txt", "text");
      const b = await putText(subject, "b.txt", "text");
      const later = await world.binding("folder/later.txt");
      const elsewhere = await world.elsewhere();

      await watching(subject, async ({ tracker, follow }) => {
        assert.deepEqual(tracker.states(), []);
        await follow([]);
        await follow([b, a, b]);
        await follow([later, { ...a }]);
        await follow([elsewhere]);

        const states = tracker.states();
        assert.deepEqual(
          states.map(({ binding }) => ({ ...binding })),
          [b, a, later, elsewhere].map((binding) => ({ ...binding })),
        );
        for (const { state } of states.slice(0, 3)) assert.ok(following.has(state), `It is ${state}.`);
        const last = states[3];
        assert.ok(last !== undefined && !following.has(last.state), "What cannot be reached is not watched.");
        if (last.reason !== undefined) assert.match(last.reason, /^[^\r\n]{1,160}$/u);
        assert.deepEqual(structuredClone(states), states);
      });
    },
  },
  {
    id: "SRC-023",
    clause: "SSOT 5.8",
    title: "A change, a removal and a creation of what is followed are hinted before the tracker is settled.",
    async holds(subject) {
      const { world } = subject;
      const a = await putText(subject, "folder/a.txt", "text 0");
      const b = await putText(subject, "folder/b.txt", "text 0");
      const later = await world.binding("folder/later.txt");

      await watching(subject, async (watch) => {
        await watch.follow([a, b, later]);
        const hinted = async (binding: SourceBinding, change: () => Promise<unknown>) => {
          assert.ok(includes(await hintsOf(watch, change), binding), "The change was hinted.");
        };

        for (let n = 1; n < 4; n += 1) {
          await hinted(a, () => putText(subject, "folder/a.txt", `text ${n}`));
          assert.equal(textOf(await find(subject, a)), `text ${n}`);
        }
        await hinted(b, () => world.remove("folder/b.txt"));
        await hinted(b, () => putText(subject, "folder/b.txt", "back"));
        await hinted(b, () => putText(subject, "folder/b.txt", "more"));
        await hinted(later, () => putText(subject, "folder/later.txt", "new"));
        const both = await hintsOf(watch, async () => {
          await putText(subject, "folder/later.txt", "newer");
          await putText(subject, "folder/a.txt", "last");
        });
        assert.ok(includes(both, a) && includes(both, later), "Both changes were hinted.");
      });
    },
  },
  {
    id: "SRC-024",
    clause: "SSOT 5.8",
    title: "A hint is the binding of something followed, and nothing more; each tracker has its own.",
    async holds(subject) {
      const { world } = subject;
      const a = await putText(subject, "folder/a.txt", "text");
      const b = await putText(subject, "folder/b.txt", "text");

      await watching(subject, async (first) => {
        await first.follow([a]);
        await watching(subject, async (second) => {
          await second.follow([b]);
          const hints = await hintsOf(first, async () => {
            await putText(subject, "folder/b.txt", "changed");
            await putText(subject, "folder/a.txt.bak", "new");
            await putText(subject, "a.txt", "new");
            await world.remove("a.txt");
            await putText(subject, "folder/a.txt", "changed");
            await second.settled();
          });

          assert.ok(includes(hints, a));
          assert.deepEqual(
            hints.filter((hint) => !sameBinding(hint, a)),
            [],
          );
          assert.ok(includes(second.hints, b));
          assert.deepEqual(
            second.hints.filter((hint) => !sameBinding(hint, b)),
            [],
          );
        });
      });
    },
  },
  {
    id: "SRC-025",
    clause: "SSOT 5.9",
    title:
      "A tracker outlives the loss of its world and can follow again; once it or its source is closed, it is over.",
    async holds(subject) {
      const { source, world } = subject;
      const a = await putText(subject, "folder/a.txt", "text");

      await watching(subject, async (lost) => {
        await lost.follow([a]);
        await world.unreach();
        await lost.settled();
        await world.reach();
        await lost.follow([a]);

        assert.equal(lost.tracker.states().length, 1);
        assert.ok(isFollowing(lost));
        assert.ok(includes(await hintsOf(lost, () => putText(subject, "folder/a.txt", "again")), a));

        await lost.tracker.close();
        await lost.tracker.close();
        await watching(subject, async (open) => {
          await open.follow([a]);
          lost.hints.length = 0;
          // The open tracker's hint is the time at which the closed one would have spoken, too.
          assert.ok(includes(await hintsOf(open, () => putText(subject, "folder/a.txt", "after")), a));
          assert.deepEqual(lost.hints, []);
          assert.ok(isFollowing(open) && !isFollowing(lost));
        });
        assert.equal(textOf(await find(subject, a)), "after");
      });
      await watching(subject, async (left) => {
        await left.follow([a]);
        if (source.close === undefined) return;
        await inTime(source.close(), "The end of the source");
        assert.ok(!isFollowing(left));
      });
    },
  },
];
