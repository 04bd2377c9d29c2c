// Verifies: releasing and pinning are done or refused in a sentence; a call is not lost for its form.
import { CmError } from "@cm/object-model";
import { describe, expect, it } from "vitest";
import { runContextTool } from "../src/index.ts";
import { call, fakeHost, file } from "./fake-host.ts";

const world = () =>
  fakeHost([
    { object: call("t1", { text: "one" }) },
    { object: call("t2", { text: "two" }) },
    { object: file("f1", { path: "/w/My Docs/a.ts", text: "a", pinned: true }) },
    { object: file("f2", { path: "/w/b.ts", text: "b" }) },
  ]);

describe("release, pin and unpin", () => {
  it.each<readonly [object, string]>([
    [{ action: "pin", id: "f2" }, "f2: pinned: what is in view of it stays there."],
    [{ action: "pin", id: "f1" }, "f1: was pinned already."],
    [{ action: "pin", id: "f3" }, "f3: pinned, but nothing of it is in view: show it, and that stays."],
    [{ action: "unpin", id: "f1" }, "f1: unpinned: it may be left out again."],
    [{ action: "release", id: "t1" }, "t1: released; it is kept, and show brings it back."],
    [{ action: "release", id: "f1" }, "f1: released, though it is pinned; it is kept, and show brings it back."],
  ])("%j is answered: %s", async (args, text) => {
    const host = fakeHost([
      { object: call("t1", { text: "one" }) },
      { object: file("f1", { text: "a", pinned: true }) },
      { object: file("f2", { text: "b" }) },
      { object: file("f3", { text: "c", pinned: true, level: "inactive" }) },
    ]);
    const released = {
      ...host,
      command: async (command: Parameters<typeof host.command>[0]) => {
        const outcome = await host.command(command);
        return outcome.done && command.action !== "pin" ? { ...outcome, changed: true } : outcome;
      },
    };

    expect(await runContextTool(released, args)).toEqual({ text, failed: false, shows: [] });
  });

  it.each<readonly [unknown, readonly string[]]>([
    ["t1 t2", ["t1", "t2"]],
    ["t1, t2,t1", ["t1", "t2"]],
    ["t1..t2", ["t1", "t2"]],
    ["id=t2", ["t2"]],
    ['["t1", "t2"]', ["t1", "t2"]],
    [
      ["t1", "t2"],
      ["t1", "t2"],
    ],
    ["`t2`.", ["t2"]],
    ["/w/My Docs/a.ts", ["/w/My Docs/a.ts"]],
    ['"/w/My Docs/a.ts" t1', ["/w/My Docs/a.ts", "t1"]],
    [
      ["/w/My Docs/a.ts", "t1"],
      ["/w/My Docs/a.ts", "t1"],
    ],
    ["/w/b.ts t1", ["/w/b.ts", "t1"]],
  ])("take %j as names", async (id, names) => {
    const host = world();

    const { failed } = await runContextTool(host, { action: "pin", id });

    expect(failed).toBe(false);
    expect(host.commands).toEqual(names.map((name) => ({ action: "pin", id: name })));
  });

  it("do what can be done, and are a fault only where nothing can", async () => {
    const partly = await runContextTool(world(), { action: "pin", id: "f9 t1" });
    const none = await runContextTool(world(), { action: "pin", id: "f9" });

    expect(partly.text).toMatch(/^f9: This session has met nothing.*\nt1: pinned/);
    expect(partly.failed).toBe(false);
    expect(none.failed).toBe(true);
  });

  it.each<readonly [string, object]>([
    ["nothing", {}],
    ["only blanks", { id: "  " }],
    ["an object", { id: { f1: true } }],
    ["more than 20", { id: Array.from({ length: 21 }, (_, at) => `f${at + 1}`) }],
    ["a range of more than 20", { id: "f1..f999999999" }],
    ["a text that never ends", { id: "f".repeat(100_000) }],
  ])("refuse %s with one sentence", async (_what, given) => {
    const answer = await runContextTool(world(), { action: "pin", ...given });

    expect(answer.failed).toBe(true);
    expect(answer.text).toMatch(/^Name (an object|at most 20).{5,80}\.$/);
  });

  it("refuse an action that there is not by naming those that there are", async () => {
    expect(await runContextTool(world(), { action: "explode" })).toEqual({
      text: '"explode" is no action: use show, release, pin, unpin, list.',
      failed: true,
      shows: [],
    });
  });

  it.each(["activate", "recall", undefined])("%s means show where objects are named", async (action) => {
    expect((await runContextTool(world(), { action, ids: "t1" })).text).toBe("Output of bash (t1), all of it:\none");
  });
});

describe("where the session cannot be asked", () => {
  const away = () => Promise.reject(new CmError("pi/unavailable", "The database does not answer. Try again later."));
  const foreign = () => Promise.reject(new Error("secret of a driver"));

  it.each(["show", "release", "pin", "unpin", "list"])("%s fails with a sentence of ours", async (action) => {
    const host = { command: away, recall: away, list: away };

    const answer = await runContextTool(host, { action, id: "t1" });

    expect(answer.failed).toBe(true);
    expect(answer.text).toContain("The database does not answer. Try again later.");
  });

  it("what a foreign error says is never shown", async () => {
    const answer = await runContextTool({ command: foreign, recall: foreign, list: foreign }, { action: "list" });

    expect(answer).toEqual({ text: "The context store failed; go on without this tool.", failed: true, shows: [] });
  });
});
