// @module-tag process
// Verifies: session files of agents get into a store once, and out of it as files that an agent goes on with.
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openSqliteStore } from "@cm/store-sqlite";
import { afterAll, describe, expect, it } from "vitest";
import { inProcess } from "../support/in-process.ts";
import { writeOpencodeDatabase } from "../support/opencode-database.ts";
import { jsonLines } from "../support/run-cm.ts";
import { leaveSession } from "../support/sample-store.ts";
import * as shapes from "../support/shapes.ts";
import { tracesOf } from "../support/traces.ts";

const home = mkdtempSync(join(tmpdir(), "cm-exchange-"));
const store = join(home, "objects.sqlite");
const at = (name: string) => join(home, name);
afterAll(() => rmSync(home, { recursive: true, force: true }));

const cm = (...args: readonly string[]) => inProcess(["--store", store, ...args], { cwd: home, env: { HOME: home } });
const text = (lines: readonly object[]) => lines.map((line) => `${JSON.stringify(line)}\n`).join("");
const entry = (id: string, parentId: string | null, message: object) => ({
  ...{ type: "message", id, parentId, timestamp: "2026-01-02T03:04:05.000Z", message },
});
const answer = (said: string) => ({
  role: "assistant",
  content: [{ type: "text", text: said }],
  ...{ api: "anthropic-messages", provider: "anthropic", model: "claude", stopReason: "stop", timestamp: 4 },
  usage: { input: 9, output: 4, cacheRead: 800, cacheWrite: 0, totalTokens: 813, cost: { total: 0 } },
});
const header = (id: string) => ({ type: "session", version: 3, id, timestamp: "2026-01-02T03:04:05.000Z", cwd: home });
const piFile = (id: string) =>
  text([header(id), entry("a", null, { role: "user", content: "Hello." }), entry("b", "a", answer("Yes."))]);
const claudeFile = text([
  {
    type: "user",
    sessionId: "claude-1",
    uuid: "u1",
    parentUuid: null,
    cwd: home,
    message: { content: "What is in a.ts?" },
  },
  {
    type: "assistant",
    uuid: "u2",
    parentUuid: "u1",
    message: { id: "m", model: "claude", content: [{ type: "text", text: "Nothing." }] },
  },
]);

describe("cm import of session files", () => {
  it("takes each file on its own: one that fails is named, and the others go on", async () => {
    writeFileSync(at("one.jsonl"), piFile("one"));
    writeFileSync(at("odd.txt"), "nothing\n");
    writeFileSync(at("claude.jsonl"), claudeFile);

    const { status, stdout, stderr } = await cm(
      "import",
      "--create",
      "one.jsonl",
      "odd.txt",
      "claude.jsonl",
      "gone.jsonl",
    );

    expect(stdout).toBe("Imported session one (1 step).\nImported session claude-1 (1 step).\n");
    expect(stderr).toMatch(/odd\.txt is not a session; .*\n.*gone\.jsonl does not exist; .*\n$/);
    expect(status).toBe(4);
  });

  it("doubles nothing, adds what a file has got since, and says what was changed before", async () => {
    const again = await cm("import", "one.jsonl");
    appendFileSync(
      at("one.jsonl"),
      text([entry("c", "b", { role: "user", content: "More." }), entry("d", "c", answer("No."))]),
    );
    const grown = await cm("import", "one.jsonl");
    writeFileSync(at("other.jsonl"), piFile("one").replace("Hello.", "Goodbye."));
    const other = await cm("import", "other.jsonl");

    expect(again).toMatchObject({ status: 0, stdout: "The store has all of session one already.\n" });
    expect(grown.stdout).toBe("Session one was there; what its file has got since was added (1 step).\n");
    expect(other).toMatchObject({ status: 4, stdout: "" });
    expect(other.stderr).toContain(
      "no longer begins as it did when it was imported as session one; nothing was added.",
    );
    expect((await cm("verify")).status).toBe(0);
  });

  it("takes all sessions of this machine with --all, once", async () => {
    mkdirSync(at(".pi/agent/sessions/--w--"), { recursive: true });
    mkdirSync(at(".claude/projects/-w"), { recursive: true });
    writeFileSync(at(".pi/agent/sessions/--w--/2.jsonl"), piFile("two"));
    writeFileSync(at(".pi/agent/sessions/--w--/3.jsonl"), text([header("three")]));
    writeFileSync(at(".claude/projects/-w/1.jsonl"), claudeFile);

    const first = await cm("import", "--all");
    const second = await cm("--json", "import", "--all");

    expect(first).toMatchObject({ status: 0, stderr: "" });
    expect(first.stdout).toBe("1 session imported, 1 already there, 1 without messages.\n");
    const lines = jsonLines(second.stdout).map((line) => shapes.importedFile.parse(line));
    expect(lines.map(({ outcome }) => outcome)).toEqual(["unchanged", "empty", "unchanged"]);
  });

  it("makes the store's own folder on a machine that has none, and nothing where nothing is found", async () => {
    const fresh = mkdtempSync(join(tmpdir(), "cm-fresh-"));
    const all = (...args: readonly string[]) =>
      inProcess(["import", "--all", ...args], { cwd: fresh, env: { HOME: fresh } });
    try {
      const nothing = await all("--create");
      const before = existsSync(join(fresh, ".pi"));
      mkdirSync(join(fresh, ".claude/projects/-w"), { recursive: true });
      writeFileSync(join(fresh, ".claude/projects/-w/1.jsonl"), claudeFile);
      const unasked = await all();
      const made = await all("--create");

      expect(nothing).toMatchObject({ status: 0, stdout: expect.stringMatching(/^No sessions of Pi/) });
      expect(before).toBe(false);
      expect(unasked).toMatchObject({ status: 5, stderr: expect.stringMatching(/add --create to make it/) });
      expect(made).toMatchObject({ status: 0, stdout: "1 session imported.\n" });
      expect(statSync(join(fresh, ".pi/agent/context-manager")).mode & 0o777).toBe(0o700);
      const named = await all("--create", "--store", join(fresh, "typo/a.sqlite"));
      expect(named).toMatchObject({ status: 5, stderr: expect.stringMatching(/make it first/) });
    } finally {
      rmSync(fresh, { recursive: true, force: true });
    }
  });

  it("takes each session of opencode's database, named or found", async () => {
    mkdirSync(at(".local/share/opencode"), { recursive: true });
    writeOpencodeDatabase(at(".local/share/opencode/opencode.db"), ["ses_a", "ses_b"]);
    writeFileSync(at("torn.db"), readFileSync(at(".local/share/opencode/opencode.db")).subarray(0, 5000));

    const named = await cm("import", ".local/share/opencode/opencode.db", "torn.db");
    const found = await cm("--json", "import", "--all");

    expect(named.stdout).toBe("Imported session ses_a (1 step).\nImported session ses_b (1 step).\n");
    expect(named.stderr).toMatch(/torn\.db cannot be read as a database; /);
    const lines = jsonLines(found.stdout).map((line) => shapes.importedFile.parse(line));
    expect(lines.slice(-2)).toMatchObject([
      { session: "ses_a", outcome: "unchanged" },
      { session: "ses_b", outcome: "unchanged" },
    ]);
  });

  it("leaves secrets out, and says so again when the session leaves the store", async () => {
    const key = `ghp_${"aB3dE6gH9j".repeat(4).slice(0, 36)}`;
    writeFileSync(at("key.jsonl"), piFile("key").replace("Hello.", `The token is ${key}.`));

    const imported = await cm("import", "key.jsonl");
    const { stdout, stderr } = await cm("export", "key", "--as", "pi");

    expect(imported.stdout).toContain("left out");
    expect(stdout).not.toContain(key);
    expect(stdout).toContain("The token is ");
    expect(stderr).toMatch(/left out when it was stored/);
    expect(readFileSync(store).includes(key)).toBe(false);
  });
});

describe("a bundle of a session that came from a file", () => {
  const treeFile = (id: string) =>
    piFile(id) +
    text([
      { type: "label", id: "l", parentId: "b", timestamp: header("").timestamp, targetId: "a", label: "start" },
      { type: "of_tomorrow", id: "o", parentId: "l", timestamp: header("").timestamp, data: { kept: ["@"] } },
      entry("c", "a", answer(`Another way. ${"So it goes on. ".repeat(20)}`)),
    ]);
  const into = (name: string, ...args: readonly string[]) =>
    inProcess(["--store", at(name), ...args], { cwd: home, env: { HOME: home } });

  it("gives the same file from another store, also once the file grew", async () => {
    writeFileSync(at("tree.jsonl"), treeFile("tree"));
    await cm("import", "tree.jsonl");
    await cm("export", "tree", "-o", "tree.cmb");
    await into("other.sqlite", "import", "--create", "tree.cmb");
    const first = await into("other.sqlite", "export", "tree", "--as", "pi");
    const more = text([entry("d", "c", { role: "user", content: "More." }), entry("e", "d", answer("No."))]);
    appendFileSync(at("tree.jsonl"), more);
    await cm("import", "tree.jsonl");
    await cm("export", "tree", "-o", "grown.cmb");
    const extended = await into("other.sqlite", "import", "grown.cmb");
    const again = await into("other.sqlite", "import", "tree.jsonl");

    expect(first).toMatchObject({ status: 0, stdout: treeFile("tree") });
    expect(extended).toMatchObject({ status: 0 });
    expect((await into("other.sqlite", "export", "tree", "--as", "pi")).stdout).toBe(treeFile("tree") + more);
    expect(again.stdout).toBe("The store has all of session tree already.\n");
    expect(await into("other.sqlite", "verify")).toMatchObject({ status: 0 });
  });
});

describe("cm erase in a session that came from a file", () => {
  const short = "Pin 4821.";
  const beside = "beside it stands the secret nobody may read again";
  const lines = () =>
    text([
      header("gone"),
      entry("a", null, { role: "user", content: `${short}`, note: beside }),
      entry("b", "a", {
        ...answer("Yes, I will."),
        content: [{ type: "toolCall", id: "call-1", name: "bash", arguments: { command: "cat key" } }],
      }),
      entry("c", "b", {
        ...{ role: "toolResult", toolCallId: "call-1", toolName: "bash", isError: false },
        content: [{ type: "text", text: "the short key" }],
        details: { shown: `${beside}, in the details` },
      }),
      entry("d", "c", answer("This stays as it is.")),
    ]);

  it("leaves nothing of it beside the steps, nor in the file that comes out", async () => {
    writeFileSync(at("gone.jsonl"), lines());
    await cm("import", "gone.jsonl");

    const typed = await cm("erase", "gone@0", "--keep-answers", "--reason", "asked for", "--yes");
    const called = await cm("erase", "call-1", "--reason", "asked for", "--yes");
    const { stdout } = await cm("export", "gone", "--as", "pi");

    expect([typed.status, called.status]).toEqual([0, 0]);
    const bytes = [store, `${store}-wal`].filter((file) => existsSync(file)).map((file) => readFileSync(file));
    for (const said of [short, beside, "the short key"]) {
      expect(stdout).not.toContain(said);
      expect(bytes.flatMap((all) => tracesOf(all, said))).toEqual([]);
    }
    const entries = jsonLines(stdout).slice(1) as { id: string; message: object }[];
    expect(entries.map(({ id }) => id)).toEqual(["a", "b", "c", "d"]);
    expect(entries.at(-1)).toEqual(entry("d", "c", answer("This stays as it is.")));
    expect((await cm("import", "gone.jsonl")).stdout).toBe("The store has all of session gone already.\n");
    expect(jsonLines((await cm("--json", "verify")).stdout).at(-1)).toMatchObject({ damaged: 0 });
  });
});

describe("cm export --as", () => {
  it("gives the file back, for its owner alone", async () => {
    const { status, stdout } = await cm("export", "two", "--as", "pi", "--out", "back.jsonl");

    expect({ status, stdout }).toEqual({
      status: 0,
      stdout: expect.stringMatching(/^Exported two to .*back\.jsonl \(/),
    });
    expect(readFileSync(at("back.jsonl"), "utf8")).toBe(piFile("two"));
    expect(statSync(at("back.jsonl")).mode & 0o777).toBe(0o600);
  });

  it("makes a file of Pi of another agent's session", async () => {
    const { stdout } = await cm("export", "claude-1", "--as", "pi");

    const [first, ...entries] = jsonLines(stdout) as { type: string; id: string; message?: { role: string } }[];
    expect(first).toMatchObject({ type: "session", version: 3, id: "claude-1" });
    expect(entries.map(({ message }) => message?.role)).toEqual(["user", "assistant"]);
  });

  it("takes forks into the file, and says so", async () => {
    writeFileSync(at("forked.jsonl"), piFile("forked"));
    await cm("import", "forked.jsonl");
    await cm("fork", "forked@0", "--as", "own-way");
    await cm("fork", "forked@0", "--as", "never-used");
    const opened = await openSqliteStore({ path: store });
    await leaveSession(opened, "own-way", { owner: "a test", now: Date.now() });
    await opened.close();

    const { stdout, stderr } = await cm("export", "forked", "--as", "pi");

    expect(stderr).toBe("1 fork of it is a branch of the file, with a label at the end.\n");
    expect(stdout.startsWith(piFile("forked"))).toBe(true);
    const added = (jsonLines(stdout) as Record<string, unknown>[]).slice(3);
    expect(added.map(({ parentId, label, customType }) => [parentId, label ?? customType])).toEqual([
      ["b", undefined],
      [added[0]?.id, "fork own-way"],
      ["b", "cm-leaf"],
    ]);
  });

  it("refuses what cannot be", async () => {
    expect((await cm("export", "two", "--as", "pi", "--gzip")).status).toBe(2);
    expect((await cm("export", "two", "--as", "emacs")).status).toBe(2);
    expect((await cm("import", "--all", "one.jsonl")).status).toBe(2);
    expect((await cm("import")).status).toBe(2);
  });
});
