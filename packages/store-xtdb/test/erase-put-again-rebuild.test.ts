// @module-tag xtdb
// Verifies: xtdb-live 1.1: what is written again after an erasure outlives an index that is built anew from the log.
import { rm } from "node:fs/promises";
import { expect, it } from "vitest";
import { file, toolcall } from "./support/documents.ts";
import { freshFolder } from "./support/folder.ts";
import { withNodes } from "./support/live-node.ts";
import { indexFolder, startOn } from "./support/own-node.ts";

const long = "the very same text ".repeat(200);

withNodes("an XTDB index that is built anew", () => {
  it("has what was erased and written again, and what an erasure left", async () => {
    const folder = freshFolder();
    const first = await startOn(folder);
    const documents = [toolcall("short", "the same"), toolcall("long", long), file("/a", long, "etag")];
    const ids = documents.map((document) => document["xt/id"]);
    const write = () => first.store.commit(documents.map((document) => ({ document, expect: "any" })));
    const kept = await first.store.commit([{ document: toolcall("kept", "before"), expect: "any" }]);
    await first.store.commit([{ document: toolcall("kept", "the same"), expect: "any" }]);
    for (let round = 0; round < 3; round += 1) {
      await write();
      await first.store.erase(ids, `round ${round}`);
    }
    await write();
    const questions = async ({ store }: Pick<typeof first, "store">) => [
      ...(await store.getMany([...ids, "kept"])).values(),
      ...(await store.getMany(["kept"], kept.basis)).values(),
      ...(await Promise.all([...ids, "kept"].map((id) => store.history(id, { documents: true })))),
      await store.find({ type: "toolcall" }, { documents: true }),
    ];
    const before = await questions(first);
    await first.stop();

    await rm(indexFolder(folder), { recursive: true });
    const second = await startOn(folder);

    expect(await questions(second)).toEqual(before);
    expect((await second.store.getMany(ids)).get("long")?.document?.content).toBe(long);
    await second.stop();
  });
});
