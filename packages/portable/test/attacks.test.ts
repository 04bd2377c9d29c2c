// @module-tag long
// Verifies: SSOT 3.11, T5, T10, T11, T18: bundles that strangers make up are refused for what is wrong with them.
import { createMemoryStore } from "@cm/object-model";
import { describe, expect, it } from "vitest";
import type { Attack, Material } from "./attacks/attack.ts";
import { contentAttacks } from "./attacks/contents.ts";
import { keyAttacks } from "./attacks/keys.ts";
import { nameAttacks } from "./attacks/names.ts";
import { sizeAttacks } from "./attacks/sizes.ts";
import { spellingAttacks } from "./attacks/spellings.ts";
import { structureAttacks } from "./attacks/structure.ts";
import { bundleOf, opening } from "./support/bytes.ts";
import { Files } from "./support/files.ts";
import { counted, linesIn } from "./support/lines.ts";
import { attempt, counting } from "./support/refusal.ts";
import { sample, tickingStore } from "./support/sample.ts";
import { openOn } from "./support/stage.ts";

const made = await sample();
const material: Material = { ...made, lines: () => linesIn(made.bytes) };
const groups: readonly (readonly [string, readonly Attack[]])[] = [
  ["names", nameAttacks(material)],
  ["keys", keyAttacks(material)],
  ["spellings", spellingAttacks(material)],
  ["sizes", sizeAttacks(material)],
  ["structure", structureAttacks(material)],
  ["contents", contentAttacks(material)],
];

describe("the table of attacks", () => {
  it("has 200 of them, no two alike", () => {
    const titles = groups.flatMap(([, attacks]) => attacks.map(({ title }) => title));

    expect(titles.length).toBeGreaterThanOrEqual(200);
    expect(new Set(titles).size).toBe(titles.length);
  });

  it("starts from a bundle that is taken", async () => {
    expect(await attempt(createMemoryStore(), opening(made.bytes))).toMatchObject({ said: "imported" });
  });
});

describe("a session before its first step", () => {
  it("is taken with its system prompt, and refused without", async () => {
    const stage = { store: tickingStore(), files: new Files() };
    await openOn(stage, "new").then((open) => open.close());
    const bytes = await bundleOf(stage.store, "new");
    const without = counted(linesIn(bytes).filter(({ document }) => document?.type !== "system_prompt"));

    expect(await attempt(createMemoryStore(), opening(bytes))).toMatchObject({ said: "imported" });
    expect(await attempt(createMemoryStore(), opening(without))).toMatchObject({ said: "bundle/missing-reference" });
  });
});

describe.each(groups)("a bundle with wrong %s", (_name, attacks) => {
  it.each(attacks.map((attack) => [attack.title, attack] as const))("is refused: %s", async (_title, attack) => {
    const ownNames = Object.getOwnPropertyNames(Object.prototype);
    const target = counting(createMemoryStore());

    const { said, message } = await attempt(target.store, opening(attack.bytes()));

    expect(said).toEqual(attack.code ?? expect.stringMatching(/^bundle\//));
    expect(target.commits()).toBe(0);
    expect(Object.getOwnPropertyNames(Object.prototype)).toEqual(ownNames);
    // What it says is bounded, on one line, and nothing out of a text.
    expect(message).toMatch(/^.{20,300}$/);
    expect(message).not.toContain("let a");
  });
});
