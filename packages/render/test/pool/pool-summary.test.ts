// Verifies: SSOT 4.4, design 7.8
import type { LogEntry, ViewObject } from "@cm/object-model";
import { describe, expect, it } from "vitest";
import { parse } from "../../src/blocks/parse.ts";
import { logLayout } from "../../src/layouts/log.ts";
import { poolSummaryOf } from "../../src/pool/pool-summary.ts";
import { objectsOf, viewOf } from "../support/views.ts";

const file = (n: number, path = `/w/src/${n}.ts`): ViewObject => ({
  id: `F${n}`,
  alias: `f${n}`,
  kind: "file",
  path,
  charCount: n,
  text: null,
  textless: "unread",
});
const call: ViewObject = { id: "c1", alias: "t1", kind: "toolcall", tool: "read", status: "fail", text: null };

/** A result of some call that names files. */
function result(at: number, ...files: readonly string[]): LogEntry {
  const rest = { status: "ok" as const, text: "x", attachments: [], files, spans: [] };
  return { kind: "result", at, step: at, turn: 0, callId: `r${at}`, object: `r${at}`, tool: "read", args: {}, ...rest };
}

describe("a summary of the pool", () => {
  it("has the files that were used last first, then those that came last", () => {
    const objects = objectsOf(file(1), file(2), file(3), file(4));
    const log = [result(0, "F1", "F2"), result(1, "F2"), result(2, "F1")];

    const summary = poolSummaryOf(viewOf({ log, objects }));

    expect(summary?.rows.map(({ alias }) => alias)).toEqual(["f1", "f2", "f4", "f3"]);
    expect(summary?.rows[0]).toEqual({
      alias: "f1",
      kind: "file",
      path: "/w/src/1.ts",
      charCount: 1,
      textless: "unread",
    });
    expect(summary?.folders).toBeUndefined();
  });

  it("has of the calls only those that the log does not show, and nothing outside the pool", () => {
    const shown: ViewObject = { ...call, id: "r0", alias: "t2" };
    const objects = objectsOf(call, shown, file(1), file(2));

    const summary = poolSummaryOf(viewOf({ log: [result(0)], objects, sets: { pool: new Set(["c1", "r0", "F1"]) } }));

    expect(summary?.rows).toEqual([
      { alias: "f1", kind: "file", path: "/w/src/1.ts", charCount: 1, textless: "unread" },
      { alias: "t1", kind: "toolcall", tool: "read", status: "fail" },
    ]);
  });

  it("is nothing for an empty pool", () => {
    expect(poolSummaryOf(viewOf({}))).toBeUndefined();
  });

  it.each([0, 60, 300, 1_000, 4_000, 100_000])(
    "keeps to a budget of %i characters and counts the others by folder",
    (charsMax) => {
      const objects = objectsOf(
        ...Array.from({ length: 150 }, (_, n) => file(n, `/w/part ${n % 9}/${"x".repeat(n)}/${n}.ts`)),
      );

      const view = viewOf({ objects });
      const summary = poolSummaryOf(view, { charsMax }) ?? { rows: [] };
      const { messages } = logLayout.render({ ...view, summary }, {});

      expect(messages[0]?.chars).toBeLessThanOrEqual(Math.max(charsMax, "list_objects count=150".length));
      const left = (summary.folders ?? []).reduce((sum, folder) => sum + folder.objects, 0);
      expect(summary.rows.length + left).toBe(150);
      expect(parse({ ...logLayout.render({ ...view, summary }, {}) }).length - 1).toBe(
        summary.rows.length + (summary.folders?.length ?? 0),
      );
    },
  );
});
