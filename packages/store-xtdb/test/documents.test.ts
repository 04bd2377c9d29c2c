// @module-tag xtdb
// Verifies: T13, SSOT 2.8, 7.4: every document comes back as it was written, and no key or value of it is taken for anything else.
import { canonicalJson, coreDocumentTypes, limits, type ObjectDocument, sealDocument } from "@cm/object-model";
import { hostileTexts, randomDocument, reservedNames } from "@cm/testkit";
import { expect, it } from "vitest";
import { z } from "zod";
import { toolcall } from "./support/documents.ts";
import { type LiveNode, withNode } from "./support/live-node.ts";
import { campaign, createRandom, runSeed } from "./support/random.ts";

const own =
  /^cm\/(object|token|request|keys|fields|blob|after_erasure|attempt|texts|held|type|put|order|ordered|newest)$/;
const specified = new Set([
  ...["xt/id", "type", "source", "identity_hash", "content_hash", "source_hash", "content", "path", "tool", "status"],
  ...["chat_ref", "session_ref", "file_type", "char_count", "null_reason", "n", "turn"],
]);

const free = coreDocumentTypes.extend({
  type: "free",
  role: "content",
  sourced: false,
  acceptsId: () => true,
  payload: z.looseObject({ content: z.string().nullable() }),
});

const title = "come back as they were, and write no attribute that is not foreseen";

withNode("documents in XTDB", (node) => {
  it(title, async () => {
    const { seed, replay } = runSeed(title);
    const random = createRandom(seed);
    const documents = new Map<string, ObjectDocument>();
    for (let n = 0; n < (campaign ? limits.writesPerCommitMax : 500); n += 1) {
      const document = randomDocument(random);
      documents.set(document["xt/id"], document);
    }

    expect(await differencesAfterWriting(node, [...documents.values()]), replay).toEqual([]);
  });

  it("keep reserved names, hostile texts and odd numbers as plain data, at the top as inside", async () => {
    const names = [...reservedNames, "xt/fn", "xt/id ", "cm/token", "n", "path", "turn", "__proto__", "source_hash2"];
    const values = [-0, 0, 1.5, 1e21, -1e-7, 2 ** 53, 5e-324, null, true, [], {}, ["(fn [ctx] ctx)"], ...hostileTexts];
    const documents = values.flatMap((value, place) => {
      const fields = Object.fromEntries(names.filter((name) => !envelope.has(name)).map((name) => [name, value]));
      const content = typeof value === "string" ? value : null;
      return [
        sealDocument({ type: "free", id: `free:${place}@x` }, { ...fields, content }, free),
        toolcall(`call_${place}`, content, { args: { ...fields, list: [value] } }),
      ];
    });

    expect(await differencesAfterWriting(node, documents)).toEqual([]);
  });

  it("are kept apart whatever their ids look like", async () => {
    const ids = [
      "rev:a@x",
      "a@x",
      "blob:a@x",
      "object:rev:a@x",
      "in:other:a@x",
      "kept:1:a@x",
      "request:a@x",
      "gone:a@x",
    ];
    const documents = ids.map((id) => toolcall(id, `text of ${id}`));

    expect(await differencesAfterWriting(node, documents)).toEqual([]);
  });
});

const envelope = new Set(["xt/id", "type", "source", "identity_hash", "content", "content_hash", "source_hash"]);

/** Writes documents to a fresh store and reads them by another one. */
async function differencesAfterWriting(node: LiveNode, documents: readonly ObjectDocument[]): Promise<string[]> {
  const namespace = `documents-${crypto.randomUUID()}`;
  const writer = node.open({ namespace, types: free });
  const { basis } = await writer.commit(documents.map((document) => ({ document, expect: "absent" })));
  const reader = node.open({ namespace, types: free });
  const found = await reader.getMany(documents.map((document) => document["xt/id"]));
  const differences = documents.flatMap((document) => {
    const version = found.get(document["xt/id"]);
    const isSame = version?.document !== undefined && canonicalJson(version.document) === canonicalJson(document);
    return isSame ? [] : [document["xt/id"]];
  });
  return [...differences, ...(await oddAttributes(node, Number(basis.slice(1).split(".")[0])))];
}

/** Unexpected attributes of the transaction. */
async function oddAttributes({ client }: LiveNode, txId: number): Promise<string[]> {
  const odd = new Set<string>();
  for await (const { operations = [] } of client.txLog({ afterTxId: txId - 1, operations: true })) {
    for (const operation of operations) {
      const document = Array.isArray(operation) ? operation[1] : undefined;
      if (typeof document !== "object" || document === null) continue;
      for (const attribute of Object.keys(document)) {
        if (!specified.has(attribute) && !own.test(attribute)) odd.add(attribute);
      }
    }
    break;
  }
  return [...odd];
}
