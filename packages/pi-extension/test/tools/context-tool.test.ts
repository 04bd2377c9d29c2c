// Verifies: the one tool in Pi's own form: faults are thrown, since Pi marks only those; results say what they show
// whole.
import { describe, expect, it } from "vitest";
import type { Managed } from "../../src/managed/managed.ts";
import { contextToolFor } from "../../src/tools/context-tool.ts";
import { managedWorld, offline } from "../support/managed-over.ts";

/** The tool as Pi runs it, with the arguments of a model. */
async function run(managed: Managed | undefined, given: object) {
  const { prepareArguments, execute } = contextToolFor({ managed: () => managed });
  if (prepareArguments === undefined) throw new Error("The tool prepares its arguments.");
  const { content, details } = await execute("call", prepareArguments(given), undefined, undefined, onlyFolder);
  return { text: content.map((part) => (part.type === "text" ? part.text : "")).join(""), details };
}

/** The tool looks at no more of Pi's context than its folder. */
const onlyFolder = new Proxy(Object.create(null), {
  get: (_target, key) => {
    if (key === "cwd") return "memory:w/src";
    throw new Error(`The tool asked Pi's context for ${String(key)}.`);
  },
});

describe("the tool of the model", () => {
  it("adds less than 600 characters to the head of a request, and no line to Pi's prompt", () => {
    const { name, description, parameters, promptSnippet, promptGuidelines } = contextToolFor({
      managed: () => undefined,
    });

    expect(JSON.stringify({ name, description, input_schema: parameters }).length).toBeLessThan(600);
    expect([promptSnippet, promptGuidelines]).toEqual([undefined, undefined]);
  });

  it("gives text in its result, and says in the details which objects it shows whole", async () => {
    const { managed } = await managedWorld();
    const id = (await managed.show("t1"))?.id;

    const { text, details } = await run(managed, { action: "show", id: "t1" });

    expect(text).toBe("Output of read src/a.ts (t1), all of it:\nexport const a = 1;\n");
    expect(details).toEqual({ cm: { shows: [id] } });
  });

  it("pins, unpins, releases and lists", async () => {
    const { managed } = await managedWorld();

    expect((await run(managed, { action: "pin", id: "f1" })).text).toBe(
      "f1: pinned: what is in view of it stays there.",
    );
    expect((await run(managed, { action: "list" })).text.split("\n")).toEqual(
      expect.arrayContaining([
        "f1 a.ts: 20 characters, in view, pinned",
        "t3 bash make: failed, 13 characters, in view",
      ]),
    );
    expect((await run(managed, { action: "unpin", id: "f1" })).text).toBe("f1: unpinned: it may be left out again.");
    expect((await run(managed, { action: "release", id: "t1" })).text).toMatch(/^t1: released/);
  });

  it.each<readonly [string, object, RegExp]>([
    ["an unknown name", { action: "show", id: "f99" }, /^f99: /],
    ["no name", { action: "pin" }, /^Name an object/],
    ["a deed that it does not know", { action: "explode" }, /is no action/],
  ])("fails as Pi knows faults on %s", async (_what, given, message) => {
    const { managed } = await managedWorld();

    await expect(run(managed, given)).rejects.toThrow(message);
  });

  it("fails with one sentence while the database is offline", async () => {
    const { managed } = await managedWorld(offline);

    await expect(run(managed, { action: "show", id: "f1" })).rejects.toThrow(
      "The database does not answer: it is locked.",
    );
  });

  it("says that management is off where it is", async () => {
    const off = (await managedWorld({ health: { state: "off", unwritten: 0 } })).managed;

    for (const managed of [undefined, off]) {
      await expect(run(managed, { action: "list" })).rejects.toThrow("Context management is off");
    }
  });

  it.each<readonly [unknown, object]>([
    [
      { action: "show", ids: ["t1", "My Docs/a.ts"] },
      { action: "show", id: 't1 "My Docs/a.ts"' },
    ],
    [
      { action: "activate", id: "t1", lines: [20, 80], match: "" },
      { action: "show", id: "t1", lines: "20-80" },
    ],
    [{ id: 7 }, { action: "show", id: "7" }],
    [{}, { action: "list" }],
    ["nonsense", { action: "list" }],
  ])("prepares %j as %j, so that no call is lost for its form", (given, prepared) => {
    expect(contextToolFor({ managed: () => undefined }).prepareArguments?.(given)).toEqual(prepared);
  });
});
