// Verifies: T7 within one file, SSOT 1.3's exception (2.8): what erase takes is in no page of the file or its log.
import { existsSync, readFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { sealAttachment, sealDocument } from "@cm/object-model";
import { expect, it } from "vitest";
import { openSqliteStore } from "../src/index.ts";
import { file, testTypes, toolcall } from "./support/documents.ts";
import { freshPath } from "./support/folder.ts";
import { createRandom, runSeed } from "./support/random.ts";

/** Short and of random letters, so that it is stored plain. */
const canary = "qzXkWvJ0pLm3RtY7";

it("leaves nothing of an erased document in the file or its log", async () => {
  const path = freshPath();
  const store = openSqliteStore({ path, types: testTypes });
  const written = [
    toolcall("in-content", canary),
    toolcall("in-args", "x", { args: { note: canary } }),
    toolcall("in-tool", "x", { tool: canary }),
    toolcall("in-session", "x", { chat_ref: `chat:${canary}` }),
    file(`/${canary}`, "x"),
    sealDocument({ type: "page", source: { type: "web", url: canary } }, { weight: 1, content: "x" }, testTypes),
  ];
  await store.commit(written.map((document) => ({ document, expect: "any" })));
  const ids = written.map((document) => document["xt/id"]);
  // Otherwise the test would see nothing whatever erase does.
  expect(bytesOf(path).split(canary).length).toBeGreaterThan(written.length);

  const receipt = await store.erase(ids, "leaked");

  expect(receipt.erased).toEqual([...ids].sort());
  expect(bytesOf(path).includes(canary)).toBe(false);
  await store.close();
  expect(bytesOf(path).includes(canary)).toBe(false);
});

it("leaves nothing in pages that were split before the erasure", async () => {
  const path = freshPath();
  const { seed, replay } = runSeed("leaves nothing in pages that were split before the erasure");
  const random = createRandom(seed);
  const store = openSqliteStore({ path, synchronous: "normal" });
  const letters = () => Array.from({ length: 40 }, () => String.fromCharCode(97 + random.below(26))).join("");
  const secret: string[] = [];
  for (let n = 0; n < 400; n += 1) {
    const id = `${random.below(1_000_000)}-${n}`;
    const isSecret = random.chance(0.2);
    if (isSecret) secret.push(id);
    const text = isSecret ? `${canary}${n} ${letters()}` : letters();
    await store.commit([{ document: toolcall(id, text, { args: { text } }), expect: "absent" }]);
  }

  expect(bytesOf(path).split(canary).length).toBeGreaterThan(secret.length);

  await store.erase(secret, "leaked");

  expect(bytesOf(path).includes(canary), replay).toBe(false);
  await store.close();
});

it("takes the attachments of an erased call along", async () => {
  const store = openSqliteStore({ path: ":memory:" });
  const { document: image, ref } = sealAttachment("image/png", Uint8Array.of(1, 2, 3));
  await store.commit([
    { document: image, expect: "any" },
    { document: toolcall("call", "text", { attachments: [ref] }), expect: "any" },
  ]);

  const receipt = await store.erase(["call"], "leaked");

  expect(receipt.shared).toEqual([image["xt/id"]]);
  await store.close();
});

it("erases nothing when the process dies before the commit", async () => {
  const path = freshPath();
  const store = openSqliteStore({ path });
  await store.commit([{ document: toolcall("call", canary), expect: "any" }]);
  const raw = new DatabaseSync(path);
  raw.exec("CREATE TRIGGER fault BEFORE DELETE ON blob BEGIN SELECT RAISE(ABORT, 'fault'); END");
  raw.close();

  await expect(store.erase(["call"], "leaked")).rejects.toMatchObject({ code: "store/corrupt" });

  const held = (await store.getMany(["call"])).get("call");
  expect(held?.document?.content).toBe(canary);
  expect((await store.find({ type: "toolcall" })).basis).toBe(held?.basis);
  await store.close();
});

function bytesOf(path: string): string {
  const files = [path, `${path}-wal`].filter((name) => existsSync(name));
  return files.map((name) => readFileSync(name, "latin1")).join("");
}
