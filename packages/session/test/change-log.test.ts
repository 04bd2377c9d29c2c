// Verifies: SSOT 3.1: changes of the sets, added up, do what the single ones did, and can be taken back.
import {
  applyChanges,
  ChangeLog,
  emptySets,
  inverseOf,
  memberCount,
  memberList,
  type SessionSets,
} from "@cm/context-log/state";
import type { SetChanges } from "@cm/object-model";
import type { Random } from "@cm/testkit";
import { describe, expect, it } from "vitest";
import { forSeeds } from "./support/seeds.ts";

const file = "test/change-log.test.ts";
const names = ["pool", "active", "pinned", "dismissed", "requested"] as const;

describe("changes that follow each other", () => {
  it("add up to what they did, without what took itself back", async () => {
    await forSeeds({ short: 500, long: 20_000, file }, (random) => {
      const base = randomSets(random);
      const sets = copyOf(base);
      const log = new ChangeLog();
      for (let n = 0; n < 12; n += 1) {
        const change = randomChange(random, sets);
        log.add(change);
        applyChanges(sets, change);
      }

      const once = copyOf(base);
      applyChanges(once, log.sum());

      expect(lists(once)).toEqual(lists(sets));
      for (const name of names) {
        for (const id of log.sum()[name]?.added ?? []) expect(base[name].has(id)).toBe(false);
        for (const id of log.sum()[name]?.removed ?? []) expect(base[name].has(id)).toBe(true);
        for (const id of ids) expect(log.over(base)[name].has(id)).toBe(sets[name].has(id));
        expect(memberCount(base, name, log.sum())).toBe(sets[name].size);
        expect([...memberList(base, name, log.sum())].sort()).toEqual([...sets[name]].sort());
      }
    });
  });

  it("can be taken back", async () => {
    await forSeeds({ short: 200, long: 5_000, file }, (random) => {
      const base = randomSets(random);
      const sets = copyOf(base);
      const change = randomChange(random, sets);
      applyChanges(sets, change);

      applyChanges(sets, inverseOf(change));

      expect(lists(sets)).toEqual(lists(base));
    });
  });

  it("leave the index alone when they are taken back", () => {
    expect(inverseOf({ index: { added: ["a"] }, pool: { added: ["a"] } })).toMatchObject({ pool: { removed: ["a"] } });
    expect(inverseOf({ index: { added: ["a"] } })).not.toHaveProperty("index");
  });
});

const ids = ["a", "b", "c", "__proto__"];

function randomSets(random: Random): SessionSets {
  const sets = emptySets();
  for (const name of names) for (const id of ids) if (random.chance(0.5)) sets[name].add(id);
  return sets;
}

/** A change as transitions make them: only what really changes. */
function randomChange(random: Random, sets: SessionSets): SetChanges {
  const name = random.pick(names);
  const id = random.pick(ids);
  return { [name]: sets[name].has(id) ? { removed: [id] } : { added: [id] } };
}

function copyOf(sets: SessionSets): SessionSets {
  const copy = emptySets();
  for (const name of names) for (const id of sets[name]) copy[name].add(id);
  return copy;
}

function lists(sets: SessionSets) {
  return names.map((name) => [name, [...sets[name]].sort()]);
}
