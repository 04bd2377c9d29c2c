// Verifies: SSOT 3.3, 3.4, 3.5, 4.3, 5.6 step 6, 5.7: one row for each event, meaning of "active" and level; T4.
import type { ViewSets } from "@cm/context-log";
import type { SetChanges } from "@cm/object-model";
import { describe, expect, it } from "vitest";
import { type SetEvent, transition } from "../src/index.ts";

type Name = keyof ViewSets;
type Level = "unknown" | "indexed" | "inactive" | "active";
type Residency = "sets" | "rendered";

const id = "call_1";
const levels: readonly Level[] = ["unknown", "indexed", "inactive", "active"];
const outside = "refused";

/** What each event changes, by level: `+` enters a set, `-` leaves it. */
const rows: readonly (readonly [SetEvent["event"], Residency, ...(readonly string[])])[] = [
  // event, residency,      unknown,                 indexed,             inactive,      active
  ["read", "sets", "+index +pool +active", "+pool +active", "+active", ""],
  ["read", "rendered", "+index +pool +active", "+pool +active", "+active", ""],
  ["discovery", "sets", "+index +pool", "+pool", "", ""],
  ["discovery", "rendered", "+index +pool", "+pool", "", ""],
  ["adopt", "sets", "+index +pool", "+pool", "", ""],
  ["adopt", "rendered", "+index +pool", "+pool", "", ""],
  ["demote", "sets", outside, "", "-pool", ""],
  ["demote", "rendered", outside, "", "-pool", ""],
  ["hint", "sets", outside, "", "", ""],
  ["hint", "rendered", outside, "", "", ""],
  ["tool call", "sets", "+index +pool +active", "+pool +active", "+active", ""],
  ["tool call", "rendered", "+index +pool +active", "+pool +active", "+active", ""],
  ["activate", "sets", outside, "+pool +active +requested", "+active +requested", "+requested"],
  ["activate", "rendered", outside, "+pool +requested", "+requested", ""],
  ["deactivate", "sets", outside, "", "", "-active"],
  ["deactivate", "rendered", outside, "", "", "+dismissed"],
  ["pin", "sets", outside, "+pool +pinned", "+pinned", "+pinned"],
  ["pin", "rendered", outside, "+pool +pinned", "+pinned", "+pinned"],
  ["unpin", "sets", outside, "", "", ""],
  ["unpin", "rendered", outside, "", "", ""],
  ["show", "sets", outside, "+pool", "", ""],
  ["show", "rendered", outside, "+pool", "", ""],
  ["hide", "sets", outside, "", "-pool", "-pool -active"],
  ["hide", "rendered", outside, "", "-pool", "-pool -active +dismissed"],
  ["collapse", "sets", outside, "", "", "-active"],
  ["collapse", "rendered", outside, "", "", "-active"],
  ["recall", "sets", outside, "+pool +active", "+active", ""],
  ["recall", "rendered", outside, "+pool +active", "+active", ""],
  ["turn over", "sets", outside, "", "", ""],
  ["turn over", "rendered", outside, "", "", ""],
];

/** The same for objects that are pinned or carry a wish of the agent. */
const markedRows: readonly (readonly [SetEvent["event"], Residency, string, string])[] = [
  ["read", "rendered", "pool requested", "+active -requested"],
  ["read", "rendered", "pool active dismissed", "-dismissed"],
  ["discovery", "rendered", "pool requested", ""],
  ["hint", "rendered", "pool active pinned dismissed", ""],
  ["activate", "rendered", "pool active dismissed", "-dismissed"],
  ["activate", "rendered", "pool requested", ""],
  ["activate", "sets", "pool pinned", "+active +requested"],
  ["activate", "sets", "pool active requested", ""],
  ["deactivate", "rendered", "pool requested", "-requested"],
  ["deactivate", "rendered", "pool active pinned", "+dismissed"],
  ["deactivate", "sets", "pool active pinned", "-active"],
  ["deactivate", "sets", "pool active requested", "-active -requested"],
  ["pin", "rendered", "pool pinned", ""],
  ["pin", "rendered", "pool active dismissed", "+pinned"],
  ["unpin", "sets", "pool active pinned", "-pinned"],
  ["unpin", "rendered", "pool pinned requested", "-pinned"],
  ["show", "rendered", "pool pinned", ""],
  ["hide", "sets", "pool active pinned", outside],
  ["hide", "sets", "pool active requested", "-pool -active -requested"],
  ["hide", "rendered", "pool pinned", outside],
  ["hide", "rendered", "pool requested", "-pool -requested"],
  ["hide", "rendered", "pool active dismissed", "-pool -active"],
  ["demote", "rendered", "pool pinned", ""],
  ["demote", "rendered", "pool requested", ""],
  ["demote", "rendered", "pool active dismissed", ""],
  ["demote", "rendered", "pool dismissed", "-pool"],
  ["collapse", "rendered", "pool active dismissed", "-active -dismissed"],
  ["collapse", "rendered", "pool active pinned", "-active"],
  ["collapse", "rendered", "pool active requested", "-active"],
  ["collapse", "sets", "pool active requested", "-active -requested"],
  ["recall", "rendered", "pool requested", "+active -requested"],
  ["recall", "rendered", "pool active dismissed", "-dismissed"],
  ["recall", "sets", "pool active requested", "-requested"],
  ["read", "sets", "pool active requested", "-requested"],
  ["turn over", "sets", "pool active requested", "-requested"],
  ["turn over", "rendered", "pool requested", ""],
];

const cells = rows.flatMap(([event, residency, ...expected]) =>
  levels.map((level, place) => ({ event, residency, level, expected: expected[place] ?? "" })),
);

describe("a transition", () => {
  it.each(cells)("$event of an $level object, $residency: $expected", ({ event, residency, level, expected }) => {
    const sets = setsWith(...membersAt(level));

    const outcome = transition(sets, { event, id }, residency);

    expect(said(outcome)).toEqual(inOrder(expected));
  });

  it.each(markedRows)("%s, %s, of an object in %s: %s", (event, residency, members, expected) => {
    const sets = setsWith("index", ...(members.split(" ") as Name[]));

    const outcome = transition(sets, { event, id }, residency);

    expect(said(outcome)).toEqual(inOrder(expected));
  });

  const events = [...new Set(rows.map(([event]) => event))];
  const infrastructure = [
    "session:s",
    "chat:s",
    "system_prompt:s",
    "step:s:0",
    "keyframe:s:0",
    "lease:s",
    `attachment:${"0".repeat(64)}`,
    "later_type:x",
  ];

  it.each(events)("%s refuses infrastructure, even where it has got into the index", (event) => {
    for (const residency of ["sets", "rendered"] as const) {
      for (const strange of infrastructure) {
        const sets = { ...setsWith(), index: new Set([strange]), pool: new Set([strange]) };

        const outcome = transition(sets, { event, id: strange }, residency);

        expect(outcome, strange).toHaveProperty("refused");
      }
    }
  });

  it.each(events.filter((event) => !["read", "discovery", "adopt", "tool call"].includes(event)))(
    "%s refuses what the session has not met, whatever its name",
    (event) => {
      for (const residency of ["sets", "rendered"] as const) {
        for (const strange of [
          "call_2",
          "0".repeat(64),
          "",
          "__proto__",
          "constructor",
          "toString",
          "hasOwnProperty",
        ]) {
          const outcome = transition(setsWith("index", "pool", "active"), { event, id: strange }, residency);

          expect(outcome, strange).toHaveProperty("refused");
        }
      }
    },
  );

  it("takes names of object members for names of objects", () => {
    const outcome = transition(setsWith(), { event: "tool call", id: "__proto__" }, "sets");

    expect(outcome).toEqual({
      changes: { index: { added: ["__proto__"] }, pool: { added: ["__proto__"] }, active: { added: ["__proto__"] } },
    });
  });

  it("says why without repeating the name", () => {
    const outcome = transition(setsWith(), { event: "pin", id: "canary" }, "sets");

    expect(outcome).toEqual({ refused: "This session has not met such an object; list its objects." });
  });
});

function membersAt(level: Level): readonly Name[] {
  const upTo: Record<Level, readonly Name[]> = {
    unknown: [],
    indexed: ["index"],
    inactive: ["index", "pool"],
    active: ["index", "pool", "active"],
  };
  return upTo[level];
}

function setsWith(...names: readonly Name[]): ViewSets {
  const members = (name: Name) => new Set(names.includes(name) ? [id] : []);
  return {
    index: members("index"),
    pool: members("pool"),
    active: members("active"),
    pinned: members("pinned"),
    dismissed: members("dismissed"),
    requested: members("requested"),
  };
}

function said(outcome: ReturnType<typeof transition>): readonly string[] {
  if ("refused" in outcome) return [outside];
  const changes: readonly (readonly [string, SetChanges["pool"]])[] = Object.entries(outcome.changes);
  return changes
    .flatMap(([name, change]) => [
      ...(change?.added ?? []).map(() => `+${name}`),
      ...(change?.removed ?? []).map(() => `-${name}`),
    ])
    .sort();
}

function inOrder(cell: string): readonly string[] {
  return cell.split(" ").filter(Boolean).sort();
}
