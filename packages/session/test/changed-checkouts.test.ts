// Verifies: SSOT 3.6: which working copies count as other ones when a session is resumed.
import type { Checkout } from "@cm/object-model";
import { expect, it } from "vitest";
import { type CheckoutChange, changedCheckouts } from "../src/files/checkouts.ts";

const main: Checkout = { namespace: "fs", root: "/w", repository: "r", commit: "a1", branch: "main" };
const other: Checkout = { namespace: "fs", root: "/x", repository: "q", commit: "z9", branch: "main" };
const { commit: _commit, ...unborn } = main;
const { branch: _branch, ...detached } = main;
const moved = { ...main, root: "/moved" };
const elsewhere = { ...main, namespace: "laptop" };

const cases: readonly (readonly [string, readonly Checkout[], readonly Checkout[], readonly CheckoutChange[]])[] = [
  ["the same", [main, other], [other, main], []],
  ["nothing recorded", [], [main], []],
  ["another commit", [main], [{ ...main, commit: "b2" }], [{ was: main, now: { ...main, commit: "b2" } }]],
  ["another branch", [main], [{ ...main, branch: "topic" }], [{ was: main, now: { ...main, branch: "topic" } }]],
  ["no branch any more", [main], [detached], [{ was: main, now: detached }]],
  ["a commit that cannot be told", [main], [unborn], []],
  ["a first commit", [unborn], [main], []],
  [
    "another repository at the same place",
    [main],
    [{ ...other, root: "/w" }],
    [{ was: main, now: { ...other, root: "/w" } }],
  ],
  ["another place", [main], [moved], [{ was: main, now: moved }]],
  ["another machine", [main], [elsewhere], [{ was: main, now: elsewhere }]],
  ["gone", [main, other], [other], [{ was: main }]],
  ["new", [main], [main, other], [{ now: other }]],
  ["gone and another one new", [main], [other], [{ was: main }, { now: other }]],
  [
    "two places of one repository, and each its own",
    [main, { ...main, root: "/y", branch: "topic" }],
    [
      { ...moved, branch: "topic" },
      { ...main, root: "/z" },
    ],
    [
      { was: main, now: { ...main, root: "/z" } },
      { was: { ...main, root: "/y", branch: "topic" }, now: { ...moved, branch: "topic" } },
    ],
  ],
  ["one of two places left", [main, moved], [main], [{ was: moved }]],
];

it.each(cases)("%s", (_title, was, now, changes) => {
  expect(changedCheckouts(was, now)).toEqual(changes);
});
