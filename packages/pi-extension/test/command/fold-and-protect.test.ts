// Verifies: SSOT 5.12: what people ask for with /cm fold, protect, unprotect and why, and what they read then.
import { noProtection } from "@cm/render";
import { describe, expect, it } from "vitest";
import { subcommands } from "../../src/command/subcommands.ts";
import { FoldNotices } from "../../src/status/fold-notices.ts";
import { commandWorld } from "../support/command-world.ts";
import { managedWorld } from "../support/managed-over.ts";
import { type SteeredWorld, steeredWorld } from "../support/steered-world.ts";
import { textOf } from "../support/texts.ts";

/** Three texts long enough to be folded, and two calls after them. */
async function worked(world: SteeredWorld): Promise<void> {
  await world.call("read", { path: "docs/rules.md" }, textOf("rule"), "docs/rules.md");
  await world.call("bash", { command: "make" }, textOf("made"));
  await world.call("read", { path: "src/a.ts" }, textOf("a"), "src/a.ts");
  for (let call = 0; call < 2; call += 1) await world.call("bash", { command: "ls" }, "a.ts");
}

const results = async ({ session }: SteeredWorld): Promise<readonly string[]> =>
  (await session.assemble()).messages.flatMap(({ role, text }) => (role === "tool" ? [text] : []));

const isFolded = (text: string): boolean => text.startsWith("[cm: ");

describe("/cm fold", () => {
  it("folds with the next request what may be folded, and says what that saves", async () => {
    const world = await steeredWorld();
    await worked(world);
    expect((await results(world)).map(isFolded)).toEqual([false, false, false, false, false]);
    await world.call("bash", { command: "ls" }, "a.ts");

    const said = await world.type("fold");

    expect(said).toEqual({
      text: expect.stringMatching(/^With the next request 3 outputs will be folded: about 8\d0 tokens fewer/),
      type: "info",
    });
    expect((await results(world)).map(isFolded)).toEqual([true, true, true, false, false, false]);
    expect(world.session.folds()).toEqual([]);
    await world.call("bash", { command: "ls" }, "a.ts");
    expect(world.session.folds().map(({ cause }) => cause)).toEqual(["person"]);
    await world.call("bash", { command: "make" }, textOf("again"));
    for (let call = 0; call < 3; call += 1) await world.call("bash", { command: "ls" }, "a.ts");
    expect(world.session.folds()).toHaveLength(1);
  });

  it("says that there is nothing to fold, and then folds nothing later", async () => {
    const world = await steeredWorld();
    await world.call("bash", { command: "make" }, textOf("made"));

    expect((await world.type("fold"))?.text).toMatch(/^Nothing to fold: /);
    for (let call = 0; call < 3; call += 1) await world.call("bash", { command: "ls" }, "a.ts");
    expect(world.session.folds()).toEqual([]);
  });
});

describe("/cm protect", () => {
  it("keeps what a pattern names, lists it, and takes it back", async () => {
    const world = await steeredWorld({ ...noProtection, tools: ["todo"] });
    await worked(world);

    expect((await world.type("protect *.md"))?.text).toMatch(
      /^Texts of files like \*\.md stay in full in this session/,
    );
    expect((await world.type("protect *.md"))?.text).toBe("Texts of files like *.md stay in full already.");
    expect((await world.type("protect"))?.text.split("\n").slice(1, 3)).toEqual([
      "  tool:todo  (by your settings)",
      "  *.md  (in this session)",
    ]);
    await world.type("fold");
    expect((await results(world)).map(isFolded)).toEqual([false, true, true, false, false]);
    await world.call("bash", { command: "ls" }, "a.ts");

    expect((await world.type("unprotect *.md"))?.text).toBe("Texts of files like *.md may be folded again.");
    await world.type("fold");
    expect((await results(world)).map(isFolded).slice(0, 3)).toEqual([true, true, true]);
  });

  it("is kept in Pi's file, so that it holds when the session is resumed", async () => {
    const before = await steeredWorld();
    await before.type("protect docs/");
    await before.type("protect tool:ba*");
    await before.type("protect prompts:2");

    const resumed = await steeredWorld(noProtection, before.entries);

    expect((await resumed.type("protect"))?.text.split("\n").slice(1, -1)).toEqual([
      "  docs/  (in this session)",
      "  tool:ba*  (in this session)",
      "  prompts:2  (in this session)",
    ]);
  });

  it.each([
    ["protect f3", /\/cm pin f3 keeps it/],
    ["protect prompts:many", /^Name files/],
    ["protect prompts:100000", /^Name files/],
    ["protect tool:", /^Name files/],
    [`protect ${"x".repeat(501)}`, /^Name files/],
    ["unprotect", /^Say what/],
    ["unprotect *.md", /^\*\.md is not protected; \/cm protect lists what is/],
  ])("says what is wrong with `/cm %s`", async (line, expected) => {
    const said = await (await steeredWorld()).type(line);

    expect(said?.type).toBe("warning");
    expect(said?.text).toMatch(expected);
  });

  it("says where the settings protect something", async () => {
    const { type } = await steeredWorld({ tools: [], paths: ["*.md"], prompts: 1 });

    expect((await type("unprotect *.md"))?.text).toContain("are protected by your settings");
    expect((await type("unprotect prompts:1"))?.text).toContain("are protected by your settings");
  });

  it("and the other words of folding are refused where nothing is folded", async () => {
    const { managed } = await managedWorld();
    const { type } = commandWorld(managed, { layout: "ssot" });

    for (const line of ["protect", "unprotect *.md", "fold", "why f1"]) {
      expect(await type(line)).toEqual({
        text: 'Nothing is folded in this session: the setting "layout" is "ssot".',
        type: "warning",
      });
    }
  });
});

describe("/cm why", () => {
  it("says why a text stands, and of a folded one when, why and how it comes back", async () => {
    const world = await steeredWorld();
    await worked(world);
    const why = async (name: string): Promise<readonly string[]> =>
      (await world.type(`why ${name}`))?.text.split("\n") ?? [];

    expect((await why("t2"))[1]).toMatch(
      /^Its output \(\d+ tokens\) stands in full: it was long not used, and goes when/,
    );
    expect((await why("f1"))[1]).toMatch(/^What t1 showed of it \(\d+ tokens\) .* in use for \d+ more calls/);
    expect((await why("t5"))[1]).toContain("it is too short to be worth folding");
    await world.type("fold");
    await results(world);
    await world.call("bash", { command: "ls" }, "a.ts");
    await world.call("bash", { command: "ls" }, "a.ts");
    expect(await why("f1")).toEqual([
      "f1 docs/rules.md",
      expect.stringMatching(
        /^What t1 showed of it \(\d+ tokens\) is folded since [-\d]+ [:\d]+Z, 1 request ago: you asked for it with \/cm fold\.$/,
      ),
      "Nothing is lost: tell the agent to show t1 again, or read it with /cm show t1.",
    ]);
    expect(await why("f99")).toEqual(["This session has not met f99; /cm objects lists what it has."]);
  });
});

describe("/cm pin", () => {
  it("says where there is nothing that a pin could keep", async () => {
    const world = await steeredWorld();
    await worked(world);
    await world.type("fold");
    await results(world);
    await world.call("bash", { command: "make all" }, textOf("new"));

    expect((await world.type("pin t2"))?.text).toMatch(/^t2: pinned.* Nothing of it stands there now/);
    expect((await world.type("pin t6"))?.text).toBe("t6: pinned: what is in view of it stays there.");
  });
});

describe("what /cm says", () => {
  it("has none of our words, no hash, and fits 80 columns where it is a table", async () => {
    const world = await steeredWorld();
    await worked(world);
    await world.call(
      "read",
      { path: "src/a/very/long/way/down/to/a-file-with-a-long-name.ts" },
      textOf("long"),
      "src/a/very/long/way/down/to/a-file-with-a-long-name.ts",
    );
    for (let call = 0; call < 3; call += 1) await world.call("bash", { command: "ls" }, "a.ts");
    await world.type("pin src/a.ts");
    await world.type("fold");
    await world.call("bash", { command: "ls" }, "a.ts");

    const lines = [...subcommands.map(({ name }) => name), "why t1", "show t1", "history f1"].filter(
      (line) => line !== "off" && line !== "doctor",
    );
    for (const line of lines) {
      const { text = "" } = (await world.type(line)) ?? {};
      expect(text).not.toMatch(/\b(pool|active|inactive|indexed|residency|reference)\b|[0-9a-f]{32}/);
      if (line !== "status") continue;
      const table = text.slice(text.indexOf("What fills")).split("\n");
      expect(table.length).toBeLessThan(30);
      expect(Math.max(...table.map((row) => row.length))).toBeLessThan(79);
      expect(text).toMatch(/^ +\d+ {2}f\d +….*long-name\.ts +folded, \d+ left out$/m);
      expect(text).toMatch(/^ +\d+ {2}f\d +src\/a\.ts +in full, pinned$/m);
    }
  });
});

describe("the notice of a fold", () => {
  it("is said once for each, short, long or not at all", async () => {
    const world = await steeredWorld();
    const [short, long, off] = [new FoldNotices(), new FoldNotices(), new FoldNotices()];
    const said = () => [
      short.next(world.session, "short", "memory:w"),
      long.next(world.session, "long", "memory:w"),
      off.next(world.session, "off", "memory:w"),
    ];
    await worked(world);
    expect(said()).toEqual([undefined, undefined, undefined]);
    await world.type("fold");
    await world.call("bash", { command: "ls" }, "a.ts");

    const first = said();

    expect(first[0]).toMatch(/^cm folded 3 outputs: about 8\d0 tokens fewer in each request\.$/);
    expect(first[1]).toMatch(
      /request\. t2 bash make \(300 tokens\), t1 read docs\/rules\.md \(\d+ tokens\), t3 .*\/cm why ID says why\.$/,
    );
    expect(first[2]).toBeUndefined();
    expect(said()).toEqual([undefined, undefined, undefined]);
    expect(new FoldNotices().next(world.session, "long", "")).toBeUndefined();
  });
});
