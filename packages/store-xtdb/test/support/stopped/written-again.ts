import { expect } from "vitest";
import { openXtdbStore } from "../../../src/index.ts";
import { file, toolcall } from "../documents.ts";
import { freshNamespace } from "../live-node.ts";
import type { Chapter, Running } from "./chapter.ts";

const long = "the very same text ".repeat(200);

/** Objects that are erased and written again, several times, and one that is written anew. */
export const writtenAgain: Chapter = async (first) => {
  const namespace = freshNamespace();
  const storeOf = ({ client }: Running) => openXtdbStore({ client, namespace });
  const store = storeOf(first);
  const documents = [toolcall("short", "the same"), toolcall("long", long), file("/a", long, "etag")];
  const ids = documents.map((document) => document["xt/id"]);
  const write = () => store.commit(documents.map((document) => ({ document, expect: "any" })));
  const kept = await store.commit([{ document: toolcall("kept", "before"), expect: "any" }]);
  await store.commit([{ document: toolcall("kept", "the same"), expect: "any" }]);
  for (let round = 0; round < 3; round += 1) {
    await write();
    await store.erase(ids, `round ${round}`);
  }
  await write();
  const answersOf = async (asked: typeof store) => [
    ...(await asked.getMany([...ids, "kept"])).values(),
    ...(await asked.getMany(["kept"], kept.basis)).values(),
    ...(await Promise.all([...ids, "kept"].map((id) => asked.history(id, { documents: true })))),
    await asked.find({ type: "toolcall" }, { documents: true }),
  ];
  const before = await answersOf(store);

  return async (second) => {
    const again = storeOf(second);
    expect(await answersOf(again)).toEqual(before);
    expect((await again.getMany(ids)).get("long")?.document?.content).toBe(long);
  };
};
