// Verifies: F14: what goes wrong is one sentence with a next step and a documented exit code; nothing is made by mistake.
import { copyFileSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, it } from "vitest";
import { inProcess, type TerminalOptions } from "../support/in-process.ts";
import { sampleFolder } from "../support/sample-file.ts";
import { failure } from "../support/shapes.ts";

const sample = sampleFolder();
const cm = (args: readonly string[], options: TerminalOptions = {}) =>
  inProcess(["--store", sample.store, ...args], options);

/** Exit code, the start of the sentence, and the words. */
const refusals: readonly (readonly [number, string, readonly string[]])[] = [
  [2, "Unknown command 'shwo' (Did you mean show?). See cm --help.", ["shwo"]],
  [2, "Unknown option '--bad'. See cm sessions --help.", ["sessions", "--bad"]],
  [2, "Missing required argument 'session'. See cm show --help.", ["show"]],
  [2, "Required option '--reason <text>' not specified. See cm erase --help.", ["erase", "x"]],
  [2, "Erasing asks first, and there is no terminal to answer on; add --yes.", ["erase", "f1", "--reason", "r"]],
  [2, "--reason says nothing; say why it is erased.", ["erase", "f1", "--reason", " ", "--yes"]],
  [2, "Say of which session: --session, or SESSION@3.", ["at", "3"]],
  [2, "x is no step; write SESSION@STEP.", ["at", "x"]],
  [2, "Name the step as SESSION@STEP, or as a number together with --session.", ["at", "alpha@1", "--session", "beta"]],
  [2, "Say diff ID [FROM] [TO], or diff SESSION@STEP SESSION@STEP ID.", ["diff", "a", "1", "2", "3"]],
  [2, "Several objects match /project/; name one by its id or whole path:\n", ["history", "/project/"]],
  [2, "A session id has 1 to 128 letters", ["fork", "alpha@0", "--as", "a b"]],
  [3, "There is no session gamma; `cm sessions` lists those there are.", ["show", "gamma"]],
  [3, 'There is no session ""; `cm sessions` lists those there are.', ["requests", ""]],
  [3, "No object has the id or path nothing.txt; `cm files` lists files", ["history", "nothing.txt"]],
  [
    3,
    "No object has the id or path f9 in session alpha, nor in the store; `cm files` lists files",
    ["show", "alpha", "f9"],
  ],
  [3, "No object has the id or path t1; for the t1 of a session say which, with --session.", ["history", "t1"]],
  [
    5,
    "The store that --from names, /nowhere/a.sqlite, is not there; name",
    ["copy", "--from", "/nowhere/a.sqlite", "--to", "b"],
  ],
  [5, "/ is a folder; name a SQLite file in it with --to.", ["copy", "--to", "/"]],
  [5, "The path of the store cannot be looked at (ENAMETOOLONG); name a SQLite", ["copy", "--to", "x".repeat(5_000)]],
  [
    5,
    `${sample.store} cannot be recovered into ${join(sample.store, "new.sqlite")}: The database file cannot be opened; check`,
    ["doctor", "--recover", join(sample.store, "new.sqlite")],
  ],
  [2, "Unknown command 'bogus'. See cm --help.", ["help", "bogus"]],
  [3, "Session alpha has no step 9; its steps are 0 to ", ["at", "alpha@9"]],
  [3, "Session alpha has no step 9; its steps are 0 to ", ["fork", "alpha@9"]],
  [3, "gamma@9 is no step of this session, nor of one that it", ["requests", "alpha", "--from", "gamma@9"]],
  [3, "The object notes.txt has no version 7; `cm history` numbers those it has.", ["diff", "notes.txt", "7"]],
  [3, "The object t1 has only one version, so that there is nothing to compare.", ["diff", "t1", "--session", "alpha"]],
  [2, "Name what is to be erased: SESSION@STEP for what was typed there, ", ["erase", "--reason", "r", "--yes"]],
  [
    3,
    "No file begins with /nowhere; `cm files` lists those",
    ["erase", "--below", "/nowhere", "--reason", "r", "--yes"],
  ],
  [3, "No object has the id or path typo", ["erase", "f1", "typo", "--session", "alpha", "--reason", "r", "--yes"]],
  [4, "There is a session beta already; take another id.", ["fork", "alpha@0", "--as", "beta"]],
  [5, "/nowhere/bundle cannot be read: it is not there.", ["import", "/nowhere/bundle"]],
  [5, "/nowhere/bundle cannot be written: its folder is not there.", ["export", "alpha", "-o", "/nowhere/bundle"]],
];

function damage(path: string): void {
  const damaged = new DatabaseSync(path);
  damaged.exec("DROP TRIGGER version_fixed; UPDATE version SET payload = x'00ff'");
  damaged.close();
}

describe("what cannot be done", () => {
  it.each(refusals)("ends with %i: %s", async (code, sentence, args) => {
    const before = readFileSync(sample.store);

    const { status, stdout, stderr } = await cm(args);

    expect({ status, stdout }).toEqual({ status: code, stdout: "" });
    expect(stderr.startsWith(`cm: ${sentence}`), stderr).toBe(true);
    expect(readFileSync(sample.store).equals(before)).toBe(true);
  });

  it("is told to programs with its code", async () => {
    const { status, stdout, stderr } = await cm(["--json", "show", "gamma"]);

    expect({ status, stdout }).toEqual({ status: 3, stdout: "" });
    expect(failure.parse(JSON.parse(stderr)).error).toMatchObject({
      ...{ code: "cli/not-found", exit: 3, data: { session: "gamma" } },
    });
  });

  it("lists several matches safely, and by whole id for programs", async () => {
    const { stderr } = await cm(["history", "name.txt"]);
    const told = await cm(["--json", "history", "/project/"]);

    expect(stderr).toBe("");
    expect(JSON.parse(told.stderr).error.data.matches).toHaveLength(3);
    const { stderr: listed } = await cm(["history", "/project/"]);
    expect(listed.trimEnd().split("\n")).toHaveLength(4);
    expect(listed).not.toContain("\u001b");
  });

  it("ends with 6 where the store is damaged, and quotes nothing of it", async () => {
    copyFileSync(sample.store, sample.at("damaged.sqlite"));
    damage(sample.at("damaged.sqlite"));

    const { status, stdout, stderr } = await inProcess(["--store", sample.at("damaged.sqlite"), "at", "alpha@0"]);

    expect({ status, stdout }).toEqual({ status: 6, stdout: "" });
    expect(stderr).toMatch(/^cm: \S*damaged\.sqlite: The .* of session:alpha .*; restore it from a copy\.\n$/);
  });

  it("names of two stores the one that is damaged", async () => {
    const [from, to] = [sample.at("copy-from.sqlite"), sample.at("copy-to.sqlite")];
    copyFileSync(sample.store, from);
    const copy = (...args: string[]) => inProcess(["copy", "--from", from, "--to", to, ...args]);
    expect((await copy()).status).toBe(0);

    damage(to);
    const behind = await copy("--resume");
    damage(from);
    const before = await copy("--resume");

    expect([behind.status, before.status]).toEqual([6, 6]);
    expect(behind.stderr).toMatch(/^cm: \S*copy-to\.sqlite: The .*; restore it from a copy\.\n$/);
    expect(before.stderr).toMatch(/^cm: \S*copy-from\.sqlite: The .*; restore it from a copy\.\n$/);
  });

  it("is a fault with 70 if unexpected, without a trace", async () => {
    const { status, stderr } = await cm(["sessions"], { now: brokenClock });

    expect(status).toBe(70);
    expect(stderr).toBe(
      "cm: An error that cm does not know (TypeError); run it with CM_DEBUG=1 to see where, and report it.\n",
    );
  });

  it("shows nothing of the inside but under CM_DEBUG", async () => {
    expect((await cm(["show", "gamma"])).stderr.trimEnd().split("\n")).toHaveLength(1);
    expect((await cm(["show", "gamma"], { env: { CM_DEBUG: "1" } })).stderr).toContain("    at ");
  });

  it("asks on a terminal before it erases, and takes only a yes for one", async () => {
    const before = readFileSync(sample.store);
    const args = ["erase", "f1", "--session", "alpha", "--reason", "no longer wanted"];

    for (const input of ["n\n", "\n", "", "yesterday\n"]) {
      const { status, stderr } = await cm(args, { typed: true, input });

      expect(status).toBe(4);
      expect(stderr).toContain("  file /project/notes.txt\n");
      expect(stderr.endsWith("Erase 1 object for good? [y/N] cm: Nothing was erased.\n"), stderr).toBe(true);
    }
    expect(readFileSync(sample.store).equals(before)).toBe(true);
  });

  it("does not put a bundle onto a terminal, nor wait for one there", async () => {
    expect(await cm(["export", "alpha"], { columns: 80 })).toMatchObject({
      ...{ status: 2, stdout: "", stderr: "cm: A bundle is not for reading; name a file with -o, or pipe it on.\n" },
    });
    expect(await cm(["import", "-"], { typed: true })).toMatchObject({
      ...{ status: 2, stderr: "cm: A bundle is expected on standard input; pipe one in, or name a file.\n" },
    });
  });
});

describe("a store that is not there", () => {
  const reading = [["sessions"], ["verify"], ["show", "x"], ["history", "x"], ["files"], ["export", "x"]];
  const writing = [["fork", "x@0"], ["erase", "x", "--reason", "r", "--yes"], ["compact"], ["upgrade"]];

  it.each([...reading, ...writing].map((args) => [args]))("is named, never made: %j", async (args) => {
    const { status, stdout, stderr } = await inProcess(args, { env: { PI_CODING_AGENT_DIR: sample.at("agent") } });

    expect({ status, stdout }).toEqual({ status: 5, stdout: "" });
    expect(stderr).toBe(
      `cm: The default store, ${sample.at("agent")}/context-manager/objects.sqlite, is not there; ` +
        "name a SQLite file, or the URL of a Postgres or an XTDB node, with --store.\n",
    );
    expect(existsSync(sample.at("agent"))).toBe(false);
  });

  it("is named with who named it", async () => {
    const { stderr } = await inProcess(["sessions"], { env: { CM_STORE: "gone.sqlite" }, cwd: sample.path });

    expect(stderr).toMatch(/^cm: The store that CM_STORE names, .*gone\.sqlite, is not there; /);
  });
});

describe("a file that is no store", () => {
  it.each([
    [
      "a folder",
      () => mkdirSync(sample.at("folder")),
      "folder",
      / is a folder; name a SQLite file in it with --store\.$/,
    ],
    ["an empty file", () => writeFileSync(sample.at("empty"), ""), "empty", / is an empty file and no store; /],
    [
      "a text",
      () => writeFileSync(sample.at("text"), "text ".repeat(400)),
      "text",
      /: The file is not a SQLite database; /,
    ],
    [
      "another program's database",
      () => otherDatabase("other"),
      "other",
      /: The file is a database of another program; /,
    ],
    [
      "one of an earlier schema",
      () => earlierSchema("early"),
      "early",
      / has the schema of an earlier version \(1, now \d\); run `cm upgrade` on it first\.$/,
    ],
  ])("is named: %s", async (_what, make, name, sentence) => {
    make();

    const { status, stderr } = await inProcess(["--store", sample.at(name), "sessions"]);

    expect([5, 6]).toContain(status);
    expect(stderr.trimEnd()).toMatch(sentence);
  });
});

describe("an empty file", () => {
  it.each([["fork", "x@0"], ["upgrade"], ["compact"]].map((args) => [args]))(
    "is not made a store of by %j",
    async (args) => {
      writeFileSync(sample.at("zero"), "");

      const { status, stderr } = await inProcess(["--store", sample.at("zero"), ...args]);

      expect({ status, stderr }).toEqual({
        status: 5,
        stderr: expect.stringMatching(/ is an empty file and no store; /),
      });
      expect(statSync(sample.at("zero")).size).toBe(0);
    },
  );
});

function otherDatabase(name: string): void {
  const database = new DatabaseSync(sample.at(name));
  database.exec("CREATE TABLE theirs(a)");
  database.close();
}

function earlierSchema(name: string): void {
  const database = new DatabaseSync(sample.at(name));
  database.exec("PRAGMA application_id = 0x434d5331; PRAGMA user_version = 1; CREATE TABLE tx(tx_id)");
  database.close();
}

function brokenClock(): number {
  throw new TypeError("stopped");
}
