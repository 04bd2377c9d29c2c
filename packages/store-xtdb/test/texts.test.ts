// @module-tag xtdb
// Verifies: long texts are stored once, and never counted on when they may be gone.
import { sha256 } from "@cm/object-model";
import { expect, it } from "vitest";
import { file, toolcall } from "./support/documents.ts";
import { type LiveNode, withNode } from "./support/live-node.ts";

const long = (text: string) => `${text} `.repeat(2_000);

withNode("long texts in XTDB", (node) => {
  it("are put once by a store, for all objects and versions that have them", async () => {
    const namespace = `texts-${crypto.randomUUID()}`;
    const store = node.open({ namespace });
    const text = long("once");
    await store.commit([{ document: toolcall("call", text), expect: "absent" }]);
    await store.commit([{ document: file("/a", text, "etag-1"), expect: "absent" }]);
    await store.commit([{ document: file("/a", text, "etag-2"), expect: "any" }]);

    expect(await versionsOfText(node, namespace, text)).toBe(1);
    const found = await store.getMany(["call", file("/a", null)["xt/id"]]);
    expect([...found.values()].map(({ document }) => document?.content)).toEqual([text, text]);
  });

  it("are put again where another store erased them meanwhile", async () => {
    const namespace = `texts-${crypto.randomUUID()}`;
    const [store, other] = [node.open({ namespace }), node.open({ namespace })];
    const text = long("erased meanwhile");
    await store.commit([{ document: toolcall("call_1", text), expect: "absent" }]);
    await other.erase(["call_1"], "not needed");

    const { results } = await store.commit([{ document: toolcall("call_2", text), expect: "absent" }]);
    await store.commit([{ document: toolcall("call_3", text), expect: "absent" }]);

    expect(results[0]?.outcome).toBe("written");
    const found = await node.open({ namespace }).getMany(["call_1", "call_2", "call_3"]);
    expect([...found.values()].map(({ document }) => document?.content)).toEqual([undefined, text, text]);
  });

  it("go ahead of a commit that would be too large, and come back whole", async () => {
    const namespace = `texts-${crypto.randomUUID()}`;
    const store = node.open({ namespace });
    // Of random letters: what compresses well never gets large.
    const texts = Array.from({ length: 6 }, (_, n) => randomLetters(4_000_000 + n));
    const documents = texts.map((text, n) => toolcall(`call_${n}`, text));

    await store.commit(documents.map((document) => ({ document, expect: "absent" })));

    const found = await node.open({ namespace }).getMany(documents.map((document) => document["xt/id"]));
    const digests = [...found.values()].map(({ document }) => sha256(document?.content ?? ""));
    expect(digests).toEqual(texts.map(sha256));
  });
});

async function versionsOfText({ client }: LiveNode, namespace: string, text: string): Promise<number> {
  let versions = 0;
  for await (const _ of client.history(`in:${namespace}:blob:${sha256(text)}`)) versions += 1;
  return versions;
}

function randomLetters(length: number): string {
  const bytes = new Uint8Array(65_536);
  let text = "";
  while (text.length < length) text += Buffer.from(crypto.getRandomValues(bytes)).toString("base64");
  return text.slice(0, length);
}
