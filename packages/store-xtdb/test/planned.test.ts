// @module-tag xtdb
// Verifies: SSOT 2.1, 5.6 by the database's own clock: planned and back-dated versions, and what a write says beside them.
import { expect, it } from "vitest";
import { toolcall } from "./support/documents.ts";
import { withNode } from "./support/live-node.ts";

const future = { validTime: new Date("2201-01-01T00:00:00.000Z") };
const past = { validTime: new Date("2001-01-01T00:00:00.000Z") };

withNode("versions that XTDB holds at other times", (node) => {
  it("leave a write alone that says what holds now", async () => {
    const store = node.open();
    const write = async (text: string, options = {}) => {
      const { results } = await store.commit([{ document: toolcall("call", text), expect: "any" }], options);
      return results[0]?.outcome;
    };

    const outcomes = [
      await write("now"),
      await write("planned", future),
      await write("now"),
      await write("planned", future),
      await write("planned"),
      await write("then", past),
      await write("planned"),
      await write("then", past),
    ];

    expect(outcomes).toEqual([
      ...["written", "written", "unchanged", "unchanged"],
      ...["written", "written", "unchanged", "unchanged"],
    ]);
    const { versions } = await store.history("call", { documents: true });
    expect(versions.map(({ document }) => document?.content)).toEqual(["planned", "planned", "now", "then"]);
  });

  it("are looked at anew by a store that knows nothing, under a token as without condition", async () => {
    const namespace = `planned-${crypto.randomUUID()}`;
    const writer = node.open({ namespace });
    await writer.commit([{ document: toolcall("call", "now"), expect: "any" }]);
    const planned = await writer.commit([{ document: toolcall("call", "planned"), expect: "any" }], future);
    const same = { document: toolcall("call", "now") };

    const underToken = await node.open({ namespace }).commit([{ ...same, expect: planned.results[0]?.token ?? "" }]);
    const unconditional = await node.open({ namespace }).commit([{ ...same, expect: "any" }]);

    for (const { results } of [underToken, unconditional]) {
      expect(results).toEqual([{ id: "call", outcome: "unchanged", token: planned.results[0]?.token }]);
    }
  });
});
