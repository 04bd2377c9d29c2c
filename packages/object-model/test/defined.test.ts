// Verifies: an optional member that is undefined is absent, and every other value stays.
import { expect, expectTypeOf, it } from "vitest";
import { defined, nonEmpty } from "../src/index.ts";

it("leaves out what is undefined, and nothing else", () => {
  const members: Record<string, unknown> = { a: undefined, b: null, c: 0, d: "", e: false, f: Number.NaN };

  expect(Object.entries(defined(members))).toEqual([
    ["b", null],
    ["c", 0],
    ["d", ""],
    ["e", false],
    ["f", Number.NaN],
  ]);
});

it("keeps what stands before it where a member is undefined", () => {
  const name: string | undefined = undefined;

  expect({ name: "default", ...defined({ name }) }).toEqual({ name: "default" });
});

it("makes members optional that may be undefined", () => {
  const members: { id: string; note: string | undefined } = { id: "a", note: undefined };

  const kept = defined(members);

  expectTypeOf(kept.id).toEqualTypeOf<string>();
  expectTypeOf<{ id: string; note?: string }>(kept);
});

it("leaves out what is empty where that says nothing", () => {
  const members = { names: ["a"], lines: [] as string[], note: "", title: "t", more: undefined as string | undefined };

  expect(nonEmpty(members)).toEqual({ names: ["a"], title: "t" });
});
