// Verifies: SSOT 3.2, issue 8.4: the model finds what the session met, a page at a time, and shows and hides it.
import type { LeveledObject } from "@cm/object-model";
import { describe, expect, it } from "vitest";
import { toolLimits } from "../../src/tools/tool-limits.ts";
import { away, managedWorld } from "../support/managed-over.ts";
import { runTool } from "../support/run-tool.ts";

describe("list_objects", () => {
  it("gives each object a short row", async () => {
    const { managed } = await managedWorld();
    await runTool(managed, "pin", { id: "f1" });

    const rows = (await runTool(managed, "list_objects", {})).split("\n");

    expect(rows.toSorted()).toEqual([
      "f1 a.ts 20 chars active pinned",
      "f2 b.ts [unread] inactive",
      "t1 read src/a.ts 20 chars active",
      "t2 ls src 4 chars active",
      "t3 bash make failed 13 chars active",
    ]);
  });

  it.each<readonly [object, string]>([
    [{ kind: "file" }, "f1 f2"],
    [{ kind: "toolcall", level: "active" }, "t1 t2 t3"],
    [{ level: "inactive" }, "f2"],
    [{ path: "a.ts" }, "f1 t1"],
    [{ fileType: "ts" }, "f1 f2"],
    [{ tool: "bash" }, "t3"],
    [{ text: "NO RULE" }, "t3"],
    [{ pinned: true }, "nothing"],
    [{ pinned: "false", path: "b.ts" }, "f2"],
    [{ kind: "", level: "", path: "", show: "", cursor: "", pinned: null }, "f1 t1 f2 t2 t3"],
  ])("with %j has %s", async (given, expected) => {
    const { managed } = await managedWorld();

    const rows = (await runTool(managed, "list_objects", given)).split("\n");

    const words = rows.map((row) => row.split(" ")[0]);
    expect(words.toSorted().join(" ")).toBe(expected.split(" ").toSorted().join(" "));
  });

  it("hides and shows, and lists only where a list was asked for, too", async () => {
    const { managed } = await managedWorld();

    const hidden = await runTool(managed, "list_objects", { hide: "t2 t3" });
    const both = await runTool(managed, "list_objects", { show: "t2", level: "indexed" });

    expect(hidden).toBe("t2: hidden; list_objects still finds it\nt3: hidden; list_objects still finds it");
    expect(both).toBe("t2: shown\nt3 bash make failed 13 chars indexed");
  });

  it("refuses to hide what is pinned", async () => {
    const { managed } = await managedWorld();
    await runTool(managed, "pin", { id: "f1" });

    expect(await runTool(managed, "list_objects", { hide: "f1" })).toBe(
      "f1: refused. The object is pinned; unpin it first.",
    );
  });

  it("does nothing at all where one of the names is wrong", async () => {
    const { managed } = await managedWorld();

    await expect(runTool(managed, "list_objects", { hide: "t1", show: "f1..f99" })).rejects.toThrow("Name at most");
    expect((await managed.show("t1"))?.level).toBe("active");
  });

  it("leads through all of many objects, page by page", async () => {
    const { managed, session } = await managedWorld();
    const ids = Array.from({ length: 100 }, (_, at) => `more${at}`);
    await session.assemble();
    await session.record({
      answer: { role: "assistant", text: "", calls: ids.map((callId) => ({ callId, tool: "bash", args: {} })) },
      results: ids.map((callId) => ({ role: "tool", callId, text: callId, failed: false })),
    });
    const met: string[] = [];
    let cursor: string | undefined;
    do {
      const rows = (await runTool(managed, "list_objects", { cursor })).split("\n");
      cursor = /^more with cursor=(\S+)$/.exec(rows.at(-1) ?? "")?.[1];
      met.push(...(cursor === undefined ? rows : rows.slice(0, -1)));
      expect(rows.length).toBeLessThanOrEqual(toolLimits.rowsPerPage + 1);
    } while (cursor !== undefined);

    expect(met).toHaveLength(105);
    expect(new Set(met.map((row) => row.split(" ")[0])).size).toBe(105);
  });

  it("keeps each object to one line of bounded length, whatever its name", async () => {
    const hostile: LeveledObject = {
      ...{ id: "x", alias: "f7", kind: "file", text: "x", level: "active", pinned: false },
      path: `${"a/".repeat(5_000)}\nf8 forged 1 chars active\u001b[2J\u202e.ts`,
    };
    const { managed } = await managedWorld({ list: async () => ({ objects: [hostile] }) });

    const text = await runTool(managed, "list_objects", {});

    expect(text).not.toMatch(/[\p{Cc}\p{Cf}]/u);
    expect(text.length).toBeLessThan(300);
    expect(text).toMatch(/\.ts 1 chars active$/);
  });

  it("names files of other sessions by the id that brings them in", async () => {
    const foreign = [{ id: "ab12", path: "/shared/x.ts", fileType: "ts", charCount: 1_204 }];
    const { managed } = await managedWorld({ list: async () => ({ objects: [], foreign }) });

    expect(await runTool(managed, "list_objects", {})).toBe("ab12 /shared/x.ts 1,204 chars of another session");
  });

  it("fails with one sentence where the cursor is wrong or the database is away", async () => {
    const here = await managedWorld();
    const gone = await managedWorld(away);

    await expect(runTool(here.managed, "list_objects", { cursor: "x" })).rejects.toThrow("cursor is not the next");
    await expect(runTool(gone.managed, "list_objects", {})).rejects.toThrow("does not answer");
  });
});
