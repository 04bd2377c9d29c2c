// @module-tag xtdb
// Verifies: T7, SSOT 2.8: after an erasure no read of the database gives what was erased, at no time and no transaction.
import { randomUUID } from "node:crypto";
import { sealAttachment, sealDocument } from "@cm/object-model";
import { expect, it } from "vitest";
import { past, whatRoutesGive } from "./support/all-routes.ts";
import { file, testTypes, toolcall } from "./support/documents.ts";
import { freshNamespace, withNode } from "./support/live-node.ts";

/** Of this run only: others may have written to the node. */
const canary = `leaked-${randomUUID()}`;

// Every document of a node is read.
withNode(
  "erasing from XTDB",
  (node) => {
    it("leaves nothing on any route, and the stamps of all versions", async () => {
      const namespace = freshNamespace();
      const store = node.open({ namespace, types: testTypes });
      const page = (content: string) =>
        sealDocument({ type: "page", source: { type: "web", url: canary } }, { weight: 1, content }, testTypes);
      const long = `${canary} `.repeat(500);
      const written = [
        toolcall("in-content", canary),
        toolcall("in-long-content", long),
        toolcall("in-args", "x", { args: { [canary]: canary } }),
        toolcall("in-tool", "x", { tool: canary }),
        toolcall("in-session", "x", { chat_ref: `chat:${canary}` }),
        file(`/${canary}`, "x"),
        page("x"),
      ];
      const sharing = [toolcall("unnamed", canary, { tool: canary }), file("/unnamed", long)];
      const first = await store.commit([...written, ...sharing].map((document) => ({ document, expect: "any" })));
      await store.commit([{ document: toolcall("in-content", `${canary} then`), expect: "any" }], { validTime: past });
      await store.commit([{ document: page(`${canary} now`), expect: "any" }]);
      // Otherwise the test would see nothing whatever erase does.
      expect(
        (await whatRoutesGive(node.client, { namespace, basis: first.basis, canary })).split(canary).length,
      ).toBeGreaterThan(20);

      const receipt = await store.erase(
        written.map((document) => document["xt/id"]),
        "leaked",
      );

      expect(receipt.shared).toEqual(sharing.map((document) => document["xt/id"]).sort());
      expect(await whatRoutesGive(node.client, { namespace, basis: first.basis, canary })).not.toContain(canary);
      const { versions } = await node.open({ namespace, types: testTypes }).history("in-content");
      expect(versions.map(({ erased }) => erased?.reason)).toEqual(["leaked", "leaked"]);
    });

    it("leaves nothing of a version that is named, and the newer one stays", async () => {
      const namespace = freshNamespace();
      const store = node.open({ namespace });
      const long = `${canary} `.repeat(500);
      const first = await store.commit([
        { document: toolcall("replaced", long, { args: { note: canary } }), expect: "any" },
      ]);
      const token = first.results[0]?.token ?? "";
      await store.commit([{ document: toolcall("replaced", "without"), expect: token }]);

      const receipt = await store.erase([{ id: "replaced", version: token }], "leaked");

      expect(receipt).toMatchObject({ erased: ["replaced"], shared: [], unknown: [] });
      expect(await whatRoutesGive(node.client, { namespace, basis: first.basis, canary })).not.toContain(canary);
      const { versions } = await node.open({ namespace }).history("replaced", { documents: true });
      expect(versions.map(({ document }) => document?.content)).toEqual(["without", undefined]);
      const reader = await node.open({ namespace }).getMany(["replaced"]);
      expect(reader.get("replaced")?.document?.content).toBe("without");
    });

    it("takes the attachments of an erased call along", async () => {
      const store = node.open();
      const { document: image, ref } = sealAttachment("image/png", new Uint8Array(3_000).fill(7));
      await store.commit([
        { document: image, expect: "any" },
        { document: toolcall("call", "text", { attachments: [ref] }), expect: "any" },
      ]);

      const receipt = await store.erase(["call"], "leaked");

      expect(receipt.shared).toEqual([image["xt/id"]]);
      expect((await store.getMany([image["xt/id"]])).get(image["xt/id"])?.document).toBe(undefined);
    });

    it("keeps the other versions of an object that lost one, at every basis and valid time", async () => {
      const namespace = freshNamespace();
      const store = node.open({ namespace });
      const texts = ["before", canary.repeat(200), "after", "back-dated"];
      const bases: string[] = [];
      for (const text of texts) {
        const validTime = text === "back-dated" ? { validTime: past } : {};
        const { basis } = await store.commit([{ document: toolcall("call", text), expect: "any" }], validTime);
        bases.push(basis);
      }
      await store.commit([{ document: toolcall("leak", canary.repeat(200)), expect: "any" }]);

      await store.erase(["leak"], "leaked");

      const reader = node.open({ namespace });
      const textAt = async (at?: Parameters<typeof reader.getMany>[1]) =>
        (await reader.getMany(["call"], at)).get("call")?.document?.content;
      expect(await Promise.all(bases.map((basis) => textAt(basis)))).toEqual(["before", undefined, "after", "after"]);
      expect([await textAt(), await textAt({ validTime: past })]).toEqual(["after", "back-dated"]);
      const { versions } = await reader.find({ type: "toolcall" }, { documents: true });
      expect(versions.map(({ document }) => document?.content)).toEqual(["after"]);
      const history = await reader.history("call", { documents: true });
      expect(history.versions.map(({ document }) => document?.content)).toEqual([
        "after",
        undefined,
        "before",
        "back-dated",
      ]);
      const again = await store.commit([{ document: toolcall("call", "later"), expect: "any" }]);
      expect([await textAt(again.basis), await textAt(bases[2])]).toEqual(["later", "after"]);
    });

    it("is overtaken by no commit of the same text", async () => {
      const namespace = freshNamespace();
      const stores = Array.from({ length: 5 }, () => node.open({ namespace }));
      const text = `${canary} `.repeat(400);
      await stores[0]?.commit([{ document: toolcall("named", text), expect: "absent" }]);

      const [receipt] = await Promise.all([
        stores[0]?.erase(["named"], "leaked"),
        ...stores
          .slice(1)
          .map((store, n) => store.commit([{ document: toolcall(`racing-${n}`, text), expect: "absent" }])),
      ]);

      const reader = node.open({ namespace });
      for (const [id, version] of await reader.getMany(["racing-0", "racing-1", "racing-2", "racing-3"])) {
        // Before the erasure and gone with it, or after it and whole.
        const isGone = receipt?.shared.includes(id) === true;
        expect(version.document?.content).toBe(isGone ? undefined : text);
      }
    });
  },
  {},
);
