// @module-tag xtdb
// Verifies: SSOT 2.8, 7.4: a stopped node's folder, copied elsewhere, answers all histories.
import { cp } from "node:fs/promises";
import { join } from "node:path";
import { drawnDocument, knownIds } from "@cm/testkit";
import { expect, it } from "vitest";
import { openXtdbStore } from "../src/index.ts";
import { testTypes, toolcall } from "./support/documents.ts";
import { freshFolder } from "./support/folder.ts";
import { withNodes } from "./support/live-node.ts";
import { startOn } from "./support/own-node.ts";
import { createRandom, runSeed } from "./support/random.ts";

const title = "answers all histories where it is copied to";

withNodes("a stopped XTDB node's folder", () => {
  it(title, async () => {
    const { seed, replay } = runSeed(title);
    const random = createRandom(seed);
    const [folder, elsewhere] = [join(freshFolder(), "data"), join(freshFolder(), "moved")];
    const first = await startOn(folder);
    const ours = openXtdbStore({ client: first.client, types: testTypes });
    const bases: string[] = [];
    for (let n = 0; n < 30; n += 1) {
      const document = random.chance(0.3) ? toolcall("long", `${n} `.repeat(2_000)) : drawnDocument(random);
      const validTime = random.chance(0.3) ? { validTime: new Date(1_000_000 * random.below(100)) } : {};
      try {
        bases.push((await ours.commit([{ document, expect: "any" }], validTime)).basis);
      } catch (error) {
        // Two of the types stand under the same ids.
        expect(error).toMatchObject({ code: "store/envelope-changed" });
      }
      if (n === 20) await ours.erase(["call_1"], "leaked");
    }
    const answersOf = async (store: typeof ours) => ({
      histories: await Promise.all([...knownIds, "long"].map((id) => store.history(id, { documents: true }))),
      thens: await Promise.all(bases.map((basis) => store.getMany(knownIds, basis))),
    });
    const before = await answersOf(ours);
    await first.stop();

    await cp(folder, elsewhere, { recursive: true });
    const second = await startOn(elsewhere);

    expect(await answersOf(openXtdbStore({ client: second.client, types: testTypes })), replay).toEqual(before);
    await second.stop();
  });
});
