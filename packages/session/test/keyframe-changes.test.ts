// Verifies: SSOT 3.8, decision 0121: what a keyframe says of tables is what changed in them, also where their keys are
// told as runs, and keyframes together are the state again.
import {
  type FlatState,
  flatOf,
  type Key,
  type KeyframeState,
  keyframeBase,
  keyframeState,
  rowNames,
  type Table,
  tableNames,
} from "@cm/context-log/state";
import type { JsonValue } from "@cm/object-model";
import type { Random } from "@cm/testkit";
import { describe, expect, it } from "vitest";
import { forSeeds } from "./support/seeds.ts";

const places = 60;
const keyframes = 6;

type Members = Record<"index" | "idle" | "dropped" | "omitted" | "shown", Map<Key, JsonValue>>;

describe("keyframes of states whose tables change", () => {
  it("are the state together, whether keys are listed or told as runs", async () => {
    await forSeeds({ short: 80, long: 20_000, file: "test/keyframe-changes.test.ts" }, (random) => {
      const members: Members = {
        ...{ index: new Map(), idle: new Map(), dropped: new Map(), omitted: new Map(), shown: new Map() },
      };
      const steps: string[] = [];
      const told: KeyframeState[] = [];
      let listed: ReturnType<typeof keyframeBase> | undefined;
      let inRuns: typeof listed;
      for (let n = 0; n < keyframes; n += 1) {
        change(members, random);
        for (let more = random.below(4); more > 0; more -= 1) steps.push(`step ${steps.length}`);
        const [list, runs] = [flat(members, steps, (table) => table), flat(members, steps, tableOfRuns)];

        const state = keyframeState(list, listed);

        expect(keyframeState(runs, inRuns)).toEqual(state);
        const [newest, older] = JSON.parse(JSON.stringify([state, told])) as [KeyframeState, KeyframeState[]];
        const together = flatOf(newest, older);
        const [before] = older.slice(-1);
        const onto = before && flatOf(before, older.slice(0, -1));
        expect(flatOf(newest, [], onto)).toEqual(together);
        told.push(state);
        expect(together.rows.steps).toEqual(steps);
        for (const [name, table] of Object.entries(list.tables))
          expect([name, ...(together.tables[name as keyof Members] ?? [])]).toEqual([name, ...table]);
        listed = keyframeBase({ chain: [], flat: list }, `${n}`);
        inRuns = keyframeBase({ chain: [], flat: runs }, `${n}`);
      }
    });
  });
});

/** Members come, leave and are used anew. What is said of an entry that left never changes; how often one is shown does. */
function change({ index, idle, dropped, omitted, shown }: Members, random: Random): void {
  for (let times = random.below(30); times > 0; times -= 1) {
    const key = random.below(places);
    index.set(random.chance(0.9) ? index.size : key, 1);
    if (random.chance(0.2)) index.delete(key);
    idle.delete(key);
    if (random.chance(0.7)) idle.set(key, 1);
    if (random.chance(0.6)) dropped.set(key, 1);
    else dropped.delete(key);
    omitted.set(key, [1, key, 0, 7 * key]);
    shown.set(key, random.below(3));
    if (random.chance(0.3)) shown.delete(key);
  }
}

function flat(members: Members, steps: readonly string[], as: (table: Map<Key, JsonValue>) => Table): FlatState {
  const sorted = (table: Map<Key, JsonValue>) => new Map([...table].sort(([a], [b]) => Number(a) - Number(b)));
  const { index, idle, dropped, omitted, shown } = members;
  return {
    rest: { logLength: places } as FlatState["rest"],
    rows: {
      ...(Object.fromEntries(rowNames.map((name) => [name, []])) as unknown as FlatState["rows"]),
      objects: Array.from({ length: places }, (_, n) => `object ${n}`),
      steps: [...steps],
    },
    tables: {
      ...(Object.fromEntries(tableNames.map((name) => [name, new Map()])) as unknown as FlatState["tables"]),
      ...{ index: as(new Map(index)), idle: as(new Map(idle)), dropped: as(sorted(dropped)) },
      ...{ omitted: as(sorted(omitted)), shown: sorted(shown) },
    },
  };
}

function tableOfRuns(table: Map<Key, JsonValue>): Table {
  const runs: [number, number][] = [];
  for (const key of table.keys() as Iterable<number>) {
    const last = runs.at(-1);
    if (last !== undefined && last[0] + last[1] === key) last[1] += 1;
    else runs.push([key, 1]);
  }
  return Object.assign(table, { runs });
}
