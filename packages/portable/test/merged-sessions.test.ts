// Verifies: SSOT 3.11, decision 96: a session into which two writers merged, before, travels with the steps of both.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createMemoryStore, type ObjectDocument } from "@cm/object-model";
import { sessionAt } from "@cm/session";
import { isDamage, verifyStore } from "@cm/session/verify";
import { expect, it } from "vitest";
import { importBundle, verifyBundle } from "../src/index.ts";
import { bundleOf, opening } from "./support/bytes.ts";
import { tickingStore } from "./support/sample.ts";

const recorded = join(import.meta.dirname, "../../session/test/fixtures/merged-session.jsonl");

it.each([
  ["whole", []],
  ["also where a step that only the other writer continued was erased", ["step:s:8"]],
])("It travels %s.", async (_how, erased) => {
  const store = tickingStore();
  for (const line of readFileSync(recorded, "utf8").trimEnd().split("\n")) {
    const documents = JSON.parse(line) as readonly ObjectDocument[];
    await store.commit(documents.map((document) => ({ document, expect: "any" })));
  }
  if (erased.length > 0) await store.erase(erased, "asked for");
  const target = createMemoryStore();

  const bytes = await bundleOf(store, "s");
  await importBundle(target, opening(bytes));

  const at = { session: "s", n: 9 };
  expect(await sessionAt(target, at)).toEqual(await sessionAt(store, at));
  const [first, again] = [bytes, await bundleOf(target, "s")].map((bundle) => verifyBundle(opening(bundle)));
  expect((await again)?.counts).toEqual((await first)?.counts);
  expect((await first)?.counts.step).toBe(10 - erased.length);
  const findings: unknown[] = [];
  for await (const finding of verifyStore(target)) if (isDamage(finding)) findings.push(finding);
  if (erased.length === 0) expect(findings).toEqual([]);
});
