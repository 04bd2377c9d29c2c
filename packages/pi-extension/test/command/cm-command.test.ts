// Verifies: SSOT 5.12: people ask the context manager with /cm, and nothing is said where there is no place for it.
import { afterEach, describe, expect, it, vi } from "vitest";
import { subcommands } from "../../src/command/subcommands.ts";
import { commandWorld } from "../support/command-world.ts";
import { managedWorld, offline, someFigures } from "../support/managed-over.ts";

afterEach(() => vi.restoreAllMocks());

describe("/cm status", () => {
  it.each(["", "status", "  status  "])("answers to `/cm %s` with all figures", async (line) => {
    const { managed } = await managedWorld({ figures: someFigures });
    const { type } = commandWorld(managed);

    const { text = "" } = (await type(line)) ?? {};

    expect(text.split("\n")).toEqual([
      "state    on",
      "context  12.4k tokens; Pi alone would have about 42.8k: 71% less",
      "input    about 58% of what Pi alone would be billed, over 34 requests",
      "cost     $0.710 with answers; Pi alone about $1.13: $0.420 saved",
      "kept     5 files and outputs, 0 pinned",
      "preset   default",
      "store    /agent/context-manager/objects.sqlite",
    ]);
  });

  it("says that a session is dearer than Pi alone", async () => {
    const figures = { ...someFigures, contextTokens: 7_900, plainTokens: 7_100, input: { ours: 1.12, plain: 1 } };
    const { managed } = await managedWorld({ figures: { ...figures, dollars: { ours: 0.062, plain: 0.06 } } });

    const { text = "" } = (await commandWorld(managed).type("status")) ?? {};

    expect(text).toMatch(/^context +7\.9k tokens; Pi alone would have about 7\.1k: 11% more$/m);
    expect(text).toMatch(/^input +about 112% of what Pi alone would be billed, over 34 requests$/m);
    expect(text).toMatch(/^cost +\$0\.062 with answers; Pi alone about \$0\.060: \$0\.002 more so far$/m);
  });

  it("says that prices are not known, and that the provider counts nothing", async () => {
    const figures = { ...someFigures, isReported: false, dollars: undefined };
    const { managed } = await managedWorld({ figures });

    const { text = "" } = (await commandWorld(managed).type("status")) ?? {};

    expect(text).toMatch(/^context +about 12\.4k tokens; /m);
    expect(text).toMatch(/^cost +not known: Pi has no prices for the models of this session$/m);
  });

  it("says what is known while the database is offline", async () => {
    const { managed } = await managedWorld(offline);

    const { text = "", type } = (await commandWorld(managed).type("status")) ?? {};

    expect(text).toContain("on, database offline: it is locked; 3 steps kept in memory");
    expect(text).toContain("no answer yet");
    expect(text).toContain("not to be had now");
    expect(type).toBe("info");
  });
});

describe("/cm objects", () => {
  it.each([
    ["objects", "f1 f2 t1 t2 t3"],
    ["objects files", "f1 f2"],
    ["objects calls shown", "t1 t2 t3"],
    ["objects hidden", "f2"],
    ["objects tool:bash", "t3"],
    ["objects text:export files", "f1"],
    ["objects type:ts a.ts", "f1"],
    ["objects src/b", "f2"],
    ["objects path:files", "Nothing"],
    ["objects pinned", "Nothing"],
    ["objects constructor:x", "Nothing"],
  ])("`/cm %s` lists %s", async (line, expected) => {
    const { managed } = await managedWorld();

    const { text = "" } = (await commandWorld(managed).type(line)) ?? {};

    const words = text.split("\n").map((row) => row.split(" ")[0]);
    expect(words.toSorted().join(" ")).toBe(expected);
  });

  it("leads to the next page", async () => {
    const { managed } = await managedWorld();
    const paged = { ...managed, list: (query: object) => managed.list({ ...query, limit: 3 }) };
    const { type } = commandWorld(paged);

    const first = (await type("objects shown"))?.text.split("\n") ?? [];
    const second = (await type(first.at(-1)?.replace("more: /cm ", "") ?? ""))?.text.split("\n") ?? [];

    expect(first.at(-1)).toMatch(/^more: \/cm objects shown after:\d+$/);
    expect([...first.slice(0, -1), ...second]).toHaveLength(4);
  });
});

describe("/cm show, history, pin and unpin", () => {
  it("show an object's row and text", async () => {
    const { managed } = await managedWorld();

    const text = (await commandWorld(managed).type("show f1"))?.text.split("\n") ?? [];

    expect(text).toEqual(["f1 src/a.ts 5 tokens in full", "", "export const a = 1;", ""]);
  });

  it("cut a long text, and make visible what would steer the terminal", async () => {
    const { managed } = await managedWorld();
    const { show } = managed;
    const long = async (name: string) => {
      const object = await show(name);
      return object === undefined ? undefined : { ...object, text: `\u001b]0;x\u0007${"y".repeat(20_000)}` };
    };

    const { text = "" } = (await commandWorld({ ...managed, show: long }).type("show t3")) ?? {};

    expect(text).toContain("\\u{1b}]0;x\\u{7}");
    expect(text).toMatch(/… 12,006 more characters$/);
    expect(text.length).toBeLessThan(9_000);
  });

  it("list versions, newest first", async () => {
    const { managed, session, world } = await managedWorld();
    world.put("src/a.ts", Buffer.from("export const a = 22_000_000;\n"));
    await session.assemble();
    await session.record({ answer: { role: "assistant", text: "Seen." } });

    const rows = (await commandWorld(managed).type("history f1"))?.text.split("\n") ?? [];

    expect(rows.map((row) => row.replace(/^[-\d]+ [:\d]+Z {2}/, ""))).toEqual(["7 tokens", "5 tokens"]);
  });

  it("pin and unpin", async () => {
    const { managed, session } = await managedWorld();
    const { type } = commandWorld(managed);

    expect(await type("pin f1")).toEqual({ text: "f1: pinned: what is in view of it stays there.", type: "info" });
    expect(session.view().sets.pinned.size).toBe(1);
    expect((await type("unpin f1"))?.text).toBe("f1: unpinned: it may be left out again.");
    expect(session.view().sets.pinned.size).toBe(0);
  });

  it.each(["show", "history", "pin", "unpin"])("%s ask for an id where none is given", async (name) => {
    const { managed } = await managedWorld();

    const said = await commandWorld(managed).type(name);

    expect(said?.type).toBe("warning");
    expect(said?.text).toBe(`Name a file or output: /cm ${name} ID, such as f3; /cm objects lists them.`);
  });

  it.each(["show f99", "history f99", "show constructor"])("%s says that there is none", async (line) => {
    const { managed } = await managedWorld();

    const said = await commandWorld(managed).type(line);

    expect(said?.type).toBe("warning");
    expect(said?.text).toContain("has not met");
  });
});

describe("/cm on and off", () => {
  it("switch management and say what that means", async () => {
    const { managed } = await managedWorld();
    const { host, type } = commandWorld(managed);

    expect((await type("off"))?.text).toContain("works as without it");
    expect(host.isEnabled()).toBe(false);
    expect((await type("status"))?.text).toContain("The context manager is off");
    expect((await type("objects"))?.text).toContain("/cm on brings it back");
    expect((await type("on"))?.text).toContain("is on");
    expect((await type("status"))?.text).toContain("state    on");
  });
});

describe("/cm", () => {
  it("knows every word of its help, and names the help for others", async () => {
    const { managed } = await managedWorld();
    const { type } = commandWorld(managed);

    const help = (await type("help"))?.text ?? "";
    const unknown = await type("constructor");

    expect(help.split("\n").map((line) => line.split(" ")[1])).toEqual(subcommands.map(({ name }) => name));
    // Pi sets each row of a notice between two blanks.
    expect(Math.max(...help.split("\n").map((line) => line.length))).toBeLessThan(79);
    expect(unknown).toEqual({ text: "/cm constructor is not known; /cm help lists what is.", type: "warning" });
  });

  it.each(subcommands.map(({ name }) => name))("%s never throws, whatever is offline or off", async (name) => {
    const gone = await managedWorld(offline);

    for (const managed of [gone.managed, undefined]) {
      const { text = "" } = (await commandWorld(managed).type(`${name} f1`)) ?? {};

      expect(text.length).toBeGreaterThan(5);
      expect(text).not.toMatch(/undefined|NaN|\[object|Error/);
    }
  });

  it("never shows what a foreign error says", async () => {
    const { managed } = await managedWorld({ show: () => Promise.reject(new Error("secret of a driver")) });

    const said = await commandWorld(managed).type("show f1");

    expect(said?.type).toBe("warning");
    expect(said?.text).not.toContain("secret");
  });

  it.each(subcommands.map(({ name }) => name))("%s writes nothing where there is no one to read it", async (name) => {
    const writes = [vi.spyOn(process.stdout, "write"), vi.spyOn(process.stderr, "write")];
    const { managed } = await managedWorld();
    const { said, type } = commandWorld(managed, {}, false);

    await type(`${name} f1`);

    expect(said).toEqual([]);
    for (const write of writes) expect(write).not.toHaveBeenCalled();
  });
});
