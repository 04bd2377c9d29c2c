import { drawnDocument, knownIds } from "@cm/testkit";
import { expect } from "vitest";
import { openXtdbStore } from "../../../src/index.ts";
import { testTypes, toolcall } from "../documents.ts";
import { freshNamespace } from "../live-node.ts";
import type { Chapter, Running } from "./chapter.ts";

/** Random versions of few objects, some of them back-dated, and an erasure on the way. */
export const drawnHistories: Chapter = async (first, { random, replay }) => {
  const namespace = freshNamespace();
  const storeOf = ({ client }: Running) => openXtdbStore({ client, namespace, types: testTypes });
  const store = storeOf(first);
  const bases: string[] = [];
  for (let n = 0; n < 30; n += 1) {
    const document = random.chance(0.3) ? toolcall("long", `${n} `.repeat(2_000)) : drawnDocument(random);
    const validTime = random.chance(0.3) ? { validTime: new Date(1_000_000 * random.below(100)) } : {};
    try {
      bases.push((await store.commit([{ document, expect: "any" }], validTime)).basis);
    } catch (error) {
      // Two of the types stand under the same ids.
      expect(error).toMatchObject({ code: "store/envelope-changed" });
    }
    if (n === 20) await store.erase(["call_1"], "leaked");
  }
  const answersOf = async (asked: typeof store) => ({
    histories: await Promise.all([...knownIds, "long"].map((id) => asked.history(id, { documents: true }))),
    thens: await Promise.all(bases.map((basis) => asked.getMany(knownIds, basis))),
  });
  const before = await answersOf(store);

  return async (second) => {
    expect(await answersOf(storeOf(second)), replay).toEqual(before);
  };
};
