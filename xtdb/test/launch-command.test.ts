// @module-tag xtdb
// @module-tag long
// Verifies: `npm run xtdb` says where the node answers, stops cleanly, and speaks in sentences.
import { existsSync, readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { requirement } from "../../tools/requirement.ts";
import { whatIsMissing } from "../launch/index.ts";
import { ask, get, post, put } from "./support/ask.ts";
import { type Command, runCommand, startCommand } from "./support/command.ts";
import { temporaryFolder } from "./support/folders.ts";
import { ended } from "./support/running.ts";
import { takenPort } from "./support/taken-port.ts";

const withXtdb = requirement("Java 17 and XTDB's jars", () => whatIsMissing() === undefined);
const withProcesses = requirement(
  "Java 17, XTDB's jars and Linux's list of processes",
  () => whatIsMissing() === undefined && existsSync("/proc/self/task"),
);
const functionOperation = "{:tx-ops [[:xtdb.api/put {:xt/id :f :xt/fn (fn [ctx] [])}]]}";
const answers = /XTDB answers at (http:\/\/127\.0\.0\.1:\d+) \((.*)\)\n/;

const statusWith = async (url: string, token: string): Promise<number> =>
  (await fetch(`${url}/_xtdb/status`, { headers: { authorization: `Bearer ${token}` } })).status;

/** A start takes longer than all that it is asked here: each signal is sent to a command that another law has started. */
async function stopsCleanly({ process: child, finished }: Command, url: string, signal: NodeJS.Signals) {
  child.kill(signal);
  const { code, stderr } = await finished;

  expect({ signal, code, stderr }).toEqual({ signal, code: 0, stderr: "" });
  await expect(get(url, "status")).rejects.toThrow("ECONNREFUSED");
}

withXtdb("npm run xtdb", () => {
  it("keeps everything in memory, its log to itself and transaction functions out, unless told otherwise, and stops cleanly on SIGINT", async () => {
    const command = startCommand([]);

    const [, url = "", where] = await command.prints(answers);

    expect(where).toBe("in memory; Ctrl-C stops it");
    expect((await get(url, "status")).status).toBe(200);
    expect((await post(url, "submit-tx", functionOperation)).status).not.toBe(202);
    await stopsCleanly(command, url, "SIGINT");
  });

  it("takes a token from a file, lets transaction functions in when told to, and stops cleanly on SIGHUP", async () => {
    const file = join(temporaryFolder(), "token");
    await writeFile(file, "from-a-file\n");
    const command = startCommand(["--quick", "--transaction-functions", "--token-file", file]);

    const [, url = ""] = await command.prints(answers);

    expect(await statusWith(url, "from-a-file")).toBe(200);
    expect(await statusWith(url, "another")).toBe(401);
    const headers = { authorization: "Bearer from-a-file", "content-type": "application/edn" };
    const asked = { path: "/_xtdb/submit-tx", method: "POST", headers, body: functionOperation };
    expect((await ask(url, asked)).status).toBe(202);
    // Stopped while it indexes, too: XTDB prints an error then, and ends well.
    await stopsCleanly(command, url, "SIGHUP");
  });

  it("says in one line that the port is taken", async () => {
    const port = await takenPort();

    const { code, stdout, stderr } = await runCommand(["--quick", "--port", String(port)]);

    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toMatch(new RegExp(`^XTDB cannot start: .*port ${port} .*\n$`));
  });
});

withProcesses("the Java process of npm run xtdb", () => {
  /** The process id of the one child that a command has. */
  const javaOf = ({ process: { pid } }: Command): string =>
    readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim();

  const endedByItself = (kept: string) => ({
    code: 1,
    stderr: `XTDB was ended by SIGKILL, perhaps because the machine ran out of memory. ${kept}\n`,
  });

  /** How a command ends whose node is killed. */
  async function afterKill(command: Command): Promise<{ readonly code: number | null; readonly stderr: string }> {
    process.kill(Number(javaOf(command)), "SIGKILL");
    const { code, stderr } = await command.finished;
    return { code, stderr };
  }

  it("shows no token in the list of processes, and says that what it held in memory is gone when its node ended by itself", async () => {
    const command = startCommand(["--quick", "--memory"], { env: { CM_XTDB_TOKEN: "not-for-everybody" } });
    const [, url = ""] = await command.prints(answers);

    const java = javaOf(command);

    expect(readFileSync(`/proc/${java}/cmdline`, "utf8")).toContain("cm.xtdb.main");
    expect(readFileSync(`/proc/${java}/cmdline`, "utf8")).not.toContain("not-for-everybody");
    expect(readFileSync(`/proc/${java}/environ`, "utf8")).not.toContain("not-for-everybody");
    expect((await get(url, "status")).status).toBe(401);
    expect(await statusWith(url, "not-for-everybody")).toBe(200);
    expect(await afterKill(command)).toEqual(endedByItself("It was in memory: what it held is gone."));
  });

  it.each([
    ["before it does anything", async () => {}],
    ["when its engine begins", (command: Command) => expect.poll(() => javaOf(command)).not.toBe("")],
  ])("ends at a SIGTERM %s, and leaves nothing that runs", async (_moment, moment) => {
    const command = startCommand(["--quick"]);
    await moment(command);
    const children = javaOf(command).split(" ").filter(Boolean);

    command.process.kill("SIGTERM");
    const { code, stdout } = await command.finished;

    // Null: the signal itself ended it.
    expect([null, 130]).toContain(code);
    expect(stdout).toBe("");
    for (const pid of children) await ended(Number(pid));
  });

  it("keeps what it has on disk when it stops cleanly on SIGTERM, and says when its node ended by itself that what was acknowledged is kept", async () => {
    const folder = temporaryFolder();
    const first = startCommand(["--quick", "--data", "data"], { env: { CM_CALLER_FOLDER: folder } });
    const [, url = ""] = await first.prints(answers);
    await put(url, '{:xt/id "kept"}');
    await stopsCleanly(first, url, "SIGTERM");
    const command = startCommand(["--data", join(folder, "data"), "--quick"]);
    const [, again = ""] = await command.prints(answers);

    expect((await get(again, "entity?eid=kept")).status).toBe(200);
    expect(await afterKill(command)).toEqual(endedByItself("What was acknowledged is kept; start it again."));
  });

  it("says when a node in memory was given more than its heap holds", async () => {
    const command = startCommand(["--memory", "--quick", "--heap", "128"]);
    const [, url = ""] = await command.prints(answers);

    // Large ones: the last of many small ones would be made room for again and again.
    const megabytes = (n: number): string => `{:xt/id ${n} :v "${"x".repeat(24_000_000)}"}`;
    const fill = async (): Promise<void> => {
      for (let n = 0; n < 64; n += 1) await put(url, megabytes(n));
    };
    await expect(fill()).rejects.toThrow();
    const { code, stderr } = await command.finished;

    expect(code).toBe(1);
    expect(stderr.trim().split("\n").at(-1)).toBe(
      "XTDB ran out of memory and ended. It was in memory: what it held is gone. --heap gives it more, and --data DIR keeps it on disk.",
    );
  });

  it("says in one sentence when Postgres is away, or the host may not be bound", async () => {
    const [away, host] = await Promise.all([
      runCommand(["--quick", "--postgres", "postgres://u:secret@127.0.0.1:1/d"]),
      runCommand(["--quick", "--host", "0.0.0.0"]),
    ]);

    expect(away.stderr).toMatch(
      /^XTDB cannot start on Postgres 127\.0\.0\.1:1\/d with its index in \S+: Postgres does not answer\n$/,
    );
    expect(host.stderr).toMatch(
      /^XTDB cannot start: host 0\.0\.0\.0 is reachable from other machines; give --allow-remote .*\n$/,
    );
    expect([away.code, host.code]).toEqual([1, 1]);
  });

  it("says in one sentence that a folder cannot be made, where making it would never end", async () => {
    const { code, stderr } = await runCommand(["--quick", "--data", "/proc/x/y"]);

    expect(stderr).toBe("/proc/x/y cannot be used as a folder to write in; name another.\n");
    expect(code).toBe(1);
  });
});

describe("a command line that makes no sense", () => {
  it.each([
    [["--port", "x"], "--port takes a whole number"],
    [["--port", "70000"], "--port takes a whole number up to 65535."],
    [["--memory", "--data", "x"], "Give one of --memory, --data and --postgres."],
    [["--index", "x"], "--index belongs to --postgres."],
    [["--checkpoint", "x"], "--checkpoint needs --data or --postgres."],
    [["--nope"], "Unknown option '--nope'."],
    [["start"], "The first word must be"],
    [["scan", "x"], "Write `scan DIR TEXT...`."],
    [["compact"], "Write `compact DIR`."],
    [["backup", "x"], "Write `backup DIR TARGET`."],
    [["compact", "x", "--port", "1"], "`compact` does not take --port."],
    [["--token-file", "/nowhere/token"], "The token file /nowhere/token cannot be read."],
    [["--postgres", "mysql://user:hunter2@host/x"], "The Postgres address cannot be read"],
  ])("%j gets a sentence", async (args, sentence) => {
    const { code, stdout, stderr } = await runCommand(args);

    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toContain(sentence);
    expect(stderr.trim().split("\n")).toHaveLength(1);
    expect(stderr).not.toContain("hunter2");
  });

  it("is explained by --help", async () => {
    const { code, stdout } = await runCommand(["--help"]);

    expect(code).toBe(0);
    for (const word of ["--memory", "--data DIR", "--postgres URL", "--port N", "compact DIR"]) {
      expect(stdout).toContain(word);
    }
  });
});
