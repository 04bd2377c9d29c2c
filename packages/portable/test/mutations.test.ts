// @module-tag long
// Verifies: SSOT 3.11, T10, T11: a bundle that is not what was exported is refused, and nothing is written.
import { createMemoryStore, isCmError } from "@cm/object-model";
import { createRandom, forSeeds } from "@cm/testkit";
import { beforeAll, describe, expect, it } from "vitest";
import { verifyBundle } from "../src/index.ts";
import { bundleOf, opening } from "./support/bytes.ts";
import { Files } from "./support/files.ts";
import { damaged, forged } from "./support/mutants.ts";
import { playSession } from "./support/random-session.ts";
import { attempt, counting } from "./support/refusal.ts";
import { sample } from "./support/sample.ts";
import { openOn } from "./support/stage.ts";
import { told } from "./support/told.ts";

const file = "test/mutations.test.ts";

/** The checks behind the sums, each of which has to stop some of them. */
const met = [
  "bundle/bad-chain",
  "bundle/duplicate",
  "bundle/foreign",
  "bundle/invalid-document",
  "bundle/invalid-line",
  "bundle/misplaced",
  "bundle/missing-reference",
  "bundle/truncated",
  "bundle/unknown-format",
  "bundle/wrong-count",
  "imported",
];

interface Original {
  readonly session: string;
  readonly plain: Buffer;
  readonly gzip: Buffer;
  readonly digest: string;
}

describe("a mutated bundle", () => {
  const originals: Original[] = [];
  const ownNames = Object.getOwnPropertyNames(Object.prototype);
  beforeAll(async () => {
    const made = [await sample()];
    for (let seed = 1; seed <= 8; seed += 1) {
      const store = createMemoryStore();
      made.push({ store, ...(await playSession(store, createRandom(seed), 2)), bytes: Buffer.of() });
    }
    for (const { store, session } of made) {
      const plain = await bundleOf(store, session);
      const { digest } = await verifyBundle(opening(plain));
      originals.push({ session, plain, gzip: await bundleOf(store, session, { gzip: true }), digest });
    }
  });

  it("is refused where its bytes differ in what they say, and nothing is written", async () => {
    let accepted = 0;
    await forSeeds({ short: 500, long: 800_000, file }, async (random) => {
      const original = random.pick(originals);
      const form = random.chance(0.7) ? "plain" : "gzip";
      const mutant = damaged(original[form], random.pick(originals)[form], random);
      const target = counting(createMemoryStore());

      const { said } = await attempt(target.store, opening(mutant, 1 + random.below(9_000)));

      if (typeof said !== "string") throw said;
      if (said === "imported") {
        accepted += 1;
        expect((await verifyBundle(opening(mutant))).digest).toBe(original.digest);
      } else expect(target.commits()).toBe(0);
    });
    // Bytes of a gzip header that say nothing, a range that was replaced by itself.
    expect(accepted).toBeGreaterThan(0);
    expect(Object.getOwnPropertyNames(Object.prototype)).toEqual(ownNames);
  });

  it("is refused, or is another session that can be read, where its sums are right", async () => {
    const codes = new Map<string, number>();
    await forSeeds({ short: 400, long: 200_000, file }, async (random) => {
      const original = random.pick(originals);
      const mutant = forged(original.plain, random.pick(originals).plain, random);
      const target = counting(createMemoryStore());

      const { said } = await attempt(target.store, opening(mutant));

      if (typeof said !== "string") throw said;
      codes.set(said, (codes.get(said) ?? 0) + 1);
      if (said !== "imported") expect(target.commits()).toBe(0);
      else await readable(original.session, target.store);
    });
    expect([...codes.keys()]).toEqual(expect.arrayContaining(met));
    expect(Object.getOwnPropertyNames(Object.prototype)).toEqual(ownNames);
  });
});

/** A forged session may name an unknown layout; the written documents are still consistent. */
async function readable(session: string, store: Parameters<typeof told>[0]): Promise<void> {
  try {
    await told(store, session);
    await openOn({ store, files: new Files() }, session);
  } catch (error) {
    if (!isCmError(error, "session/unknown-layout")) throw error;
  }
}
