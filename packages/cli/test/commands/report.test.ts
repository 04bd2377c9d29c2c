// @module-tag process
// Verifies: a report on session files says what they cost, from the files alone, in plain words.
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createMemoryStore } from "@cm/object-model";
import { readRecording } from "@cm/recordings";
import { namedPolicies, outputUse, replayResult } from "@cm/replay";
import { generatedSession } from "@cm/replay/generated";
import { afterAll, describe, expect, it } from "vitest";
import { limits } from "../../src/limits.ts";
import { inProcess, type TerminalOptions } from "../support/in-process.ts";
import { writeOpencodeDatabase } from "../support/opencode-database.ts";
import { piSession, type RecordedTurn } from "../support/recorded-session.ts";
import { jsonLines } from "../support/run-cm.ts";
import { reportLine } from "../support/shapes.ts";

const home = mkdtempSync(join(tmpdir(), "cm-report-"));
const at = (name: string) => join(home, name);
afterAll(() => rmSync(home, { recursive: true, force: true }));

const report = (args: readonly string[], options: TerminalOptions = {}) =>
  inProcess(["report", ...args], { cwd: home, ...options, env: { HOME: home, ...options.env } });
const put = (name: string, text: string): string => {
  mkdirSync(dirname(at(name)), { recursive: true });
  writeFileSync(at(name), text);
  return name;
};
const lines = async (...args: readonly string[]) =>
  jsonLines((await report([...args, "--json"])).stdout).map((line) => reportLine.parse(line));

const usage = { input: 1_000, cacheRead: 9_000, output: 500 };
const read = (path: string, output: string): RecordedTurn => ({ tool: "read", args: { path }, output, usage });
/** Three answers of 10,000 tokens read and 500 written. */
const small = piSession("small", [read("a.ts", "export const alphaValue = 1;"), read("b.ts", "dull ".repeat(200))]);
const flat = (text: string): string => text.replace(/\s+/g, " ");

describe("cm report FILE", () => {
  it("says what was counted in words, leaves nothing behind and needs no store", async () => {
    put("alone/small.jsonl", small);

    const { status, stdout, stderr } = await report(["alone/small.jsonl"], {
      env: { CM_STORE: at("alone/objects.sqlite") },
    });

    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    expect(flat(stdout)).toContain(
      "In 3 requests the model read 30.0k tokens, 90 % of them from the provider's cache, and wrote at least 1,500.",
    );
    expect(flat(stdout)).toContain("Nothing was sent anywhere, no model was asked, and no session was stored");
    expect(stdout).toMatch(
      /^session {2,}agent {2,}requests {2,}tokens in {2,}cached {2,}tokens out {2,}not used {2,}with CM$/m,
    );
    expect(stdout).toMatch(
      /^2026-01-02 project small {2,}Pi {2,}3 {2,}30\.0k {2,}90 % {2,}1,500 {2,}\d+ % {2,}\d+ %$/m,
    );
    expect(readdirSync(at("alone"))).toEqual(["small.jsonl"]);
    expect(readFileSync(at("alone/small.jsonl"), "utf8")).toBe(small);
  });

  it("tells money at the prices that are given, cached input at its share, and none without them", async () => {
    put("small.jsonl", small);

    const { stdout } = await report(["small.jsonl", "--per-million", "100/1000"]);
    const free = await report(["small.jsonl"]);
    const [session] = await lines("small.jsonl", "--per-million", "100/1000", "--prices", "openaiGpt4o");

    // 3,000 new tokens and 27,000 from the cache at a tenth; 1,500 written.
    expect(flat(stdout)).toContain("At your prices that is 2.07: 0.57 for what it read and 1.50 for what it wrote.");
    expect(free.stdout).not.toMatch(/At your prices|^session.* cost/m);
    // Half of the price from this provider's cache.
    expect(session).toMatchObject({ cost: { input: 1.65, output: 1.5 } });
  });

  it("gives the figures that a replay gives", async () => {
    const file = put("generated.jsonl", generatedSession({ seed: 5, calls: 40 }));
    const recording = await readRecording(at(file));
    const { totals } = await replayResult(recording, {
      policy: { name: "default", policy: namedPolicies.default },
      pricing: { name: "p", prices: { read: 0.1, write: 1.25 } },
      place: { store: createMemoryStore(), kind: "memory" },
      lifetime: "recorded",
    });
    const { heaviest, ...use } = outputUse(recording);

    const [session, summary] = await lines(file);
    const { stdout } = await report([file]);

    const billedChars = { plain: totals.plainBilled, withLog: totals.plainBilled * (totals.faultedShare ?? 0) };
    expect(session).toMatchObject({ requests: 40, use, billedChars, edits: { needed: totals.needed } });
    expect(summary).toMatchObject({ kind: "summary", sessions: 1, use, billedChars });
    expect(flat(stdout)).toContain(`would have cost ${Math.round(100 * (totals.faultedShare ?? 0))} % of`);
    expect(flat(stdout)).toContain(
      `${Math.round((100 * use.unusedChars) / use.sentChars)} % of what the requests carried`,
    );
    for (const { target = "" } of heaviest.slice(0, limits.reportOutputsShown)) expect(stdout).toContain(target);
  });

  it("says that there is no cost where the agent counted nothing", async () => {
    const file = put("uncounted.jsonl", small.replaceAll('"usage"', '"unused"'));

    const { stdout } = await report([file, "--per-million", "3/15"]);

    expect(stdout).toContain("The agent wrote down no tokens, so there is no");
    expect(stdout).toMatch(/^session {2,}agent {2,}requests {2,}not used {2,}with CM$/m);
  });

  it("estimates no money where the agent shortened the conversation itself, and says so", async () => {
    const turns = [read("a", "x"), { ...read("b", "y"), usage: { input: 100, cacheRead: 0, output: 1 } }];
    const file = put("shortened.jsonl", piSession("shortened", turns));

    const { stdout } = await report([file, "--per-million", "3/15"]);
    const [session, summary] = await lines(file, "--per-million", "3/15");

    expect(flat(stdout)).toContain("In this session the agent shortened the conversation itself");
    expect(session).toMatchObject({ tokens: { shortened: 1 }, costWithLog: null });
    expect(summary).toMatchObject({ compared: null });
  });

  it("shows no key of a command, and no character that acts", async () => {
    const key = `ghp_${"a1B2".repeat(9)}`;
    const calls = [
      {
        tool: "bash",
        args: { command: `curl -H "Authorization: Bearer ${key}" \u001b[2J<b>` },
        output: "o".repeat(900),
      },
      read("b.ts", "k"),
      read("c.ts", "k"),
    ];
    const file = put("key.jsonl", piSession("key", calls));

    const { stdout } = await report([file, "--html", "key.html"]);
    const page = readFileSync(at("key.html"), "utf8");

    for (const text of [stdout, page]) {
      expect(text).toContain("curl");
      expect(text).not.toContain(key.slice(0, 12));
      expect(text).not.toContain("\u001b");
    }
    expect(page).toContain("&lt;b&gt;");
  });

  it("fits a terminal of 80 columns", async () => {
    put("small.jsonl", small);

    const { stdout } = await report(["small.jsonl", "small.jsonl", "--per-million", "3/15"], { columns: 80 });

    expect(stdout.split("\n").filter((line) => line.length > 80)).toEqual([]);
    expect(stdout).toMatch(/^all 2 sess/m);
  });
});

describe("several files", () => {
  it("are told each and together; one that fails is named, and the others go on", async () => {
    put("small.jsonl", small);
    put("odd.txt", "nothing\n");
    put("silent.jsonl", `${small.split("\n").slice(0, 2).join("\n")}\n`);

    const { status, stdout, stderr } = await report([
      "small.jsonl",
      "odd.txt",
      "gone.jsonl",
      "silent.jsonl",
      "small.jsonl",
    ]);

    expect(status).toBe(4);
    expect(stderr).toMatch(
      /^odd\.txt is not a session; .*\ngone\.jsonl does not exist; .*\nsilent\.jsonl has no answer of a model.*\n/,
    );
    expect(stdout).toMatch(/^all 2 sessions {2,}6 {2,}60\.0k/m);
  });

  it("end with the code of the only failure, and make no page of nothing", async () => {
    const { status, stdout } = await report(["gone.jsonl", "--html", "none.html"]);

    expect({ status, stdout }).toEqual({ status: 3, stdout: "" });
    expect(readdirSync(home)).not.toContain("none.html");
  });

  it("may not be larger than a report can hold", async () => {
    put("large.jsonl", small);
    truncateSync(at("large.jsonl"), limits.reportFileBytesMax + 1);

    const { status, stderr } = await report(["large.jsonl"]);

    expect(status).toBe(4);
    expect(stderr).toContain("large.jsonl has 64.0 MiB; a report takes sessions of 64.0 MiB and less.");
  });

  it("may not hold more requests than a report replays", async () => {
    const [head = "", said = ""] = small.split("\n");
    const answer = JSON.stringify({ role: "assistant", content: [{ type: "text", text: "x" }], stopReason: "stop" });
    const answers = Array.from(
      { length: limits.reportRequestsMax + 1 },
      (_, n) =>
        `{"type":"message","id":"a${n}","parentId":${JSON.stringify(n === 0 ? "e1" : `a${n - 1}`)},"message":${answer}}`,
    );
    put("long.jsonl", `${[head, said, ...answers].join("\n")}\n`);

    const { status, stderr } = await report(["long.jsonl"]);

    expect({ status, stderr }).toEqual({
      status: 4,
      stderr: `long.jsonl has 10,001 requests; a report takes sessions of 10,000 and less.\n1 session could not be reported on and is left out.\n`,
    });
  });

  it("show how far it is on a terminal, and nothing of it in a pipe", async () => {
    put("small.jsonl", small);

    const shown = await report(["small.jsonl", "small.jsonl"], { columns: 120 });
    const piped = await report(["small.jsonl", "small.jsonl"]);

    expect(shown.stderr).toContain("1 of 2 sessions, small.jsonl");
    expect(piped.stderr).toBe("");
  });
});

describe("cm report --all", () => {
  it("takes the newest sessions of the agents' folders, and says what it left out", async () => {
    const folder = ".pi/agent/sessions/--project--";
    for (const [day, name] of ["old", "middle", "new"].entries()) {
      put(`${folder}/${name}.jsonl`, piSession(name, [read("a", "x")]));
      utimesSync(at(`${folder}/${name}.jsonl`), day, 1_000 + day);
    }
    put(`${folder}/silent.jsonl`, `${small.split("\n").slice(0, 2).join("\n")}\n`);

    const { status, stdout, stderr } = await report(["--all", "--newest", "3"]);
    const all = await lines("--all");

    expect(status).toBe(0);
    expect([...stdout.matchAll(/^2026-01-02 project (\w+)/gm)].map(([, name]) => name)).toEqual(["new", "middle"]);
    expect(stderr).toBe(
      "1 older session is left out; --newest 4 takes all.\n1 session without an answer of a model is left out.\n",
    );
    expect(all.map((line) => (line.kind === "session" ? line.session : line.kind))).toEqual([
      ...["new", "middle", "old", "summary"],
    ]);
    expect(all.at(-1)).toMatchObject({
      sessions: 3,
      empty: 1,
      leftOut: ["1 session without an answer of a model is left out."],
    });
  });

  it("takes the sessions of opencode's database one by one, named or found", async () => {
    mkdirSync(at("data/opencode"), { recursive: true });
    writeOpencodeDatabase(at("data/opencode/opencode.db"), ["ses_a", "ses_b"]);
    const env = { HOME: at("empty"), XDG_DATA_HOME: at("data") };

    const found = await report(["--all", "--json"], { env });
    const named = await report(["data/opencode/opencode.db", "--json"]);

    for (const [{ stdout }, sessions] of [
      [found, ["ses_b", "ses_a"]],
      [named, ["ses_a", "ses_b"]],
    ] as const)
      expect(jsonLines(stdout).slice(0, -1)).toMatchObject(sessions.map((session) => ({ agent: "opencode", session })));
  });

  it("says where it looked when it found nothing", async () => {
    const { status, stdout, stderr } = await inProcess(["report", "--all"], { env: { HOME: at("empty") } });

    expect({ status, stdout }).toEqual({ status: 0, stdout: "" });
    expect(stderr).toMatch(
      /^No sessions of Pi, oh-my-pi, Claude Code, Codex or opencode were found in their usual folders/,
    );
  });
});

describe("the page", () => {
  it("holds the report in one file that loads and runs nothing, for its owner alone", async () => {
    put("small.jsonl", small);

    const { stderr } = await report(["small.jsonl", "small.jsonl", "--html", "page.html"]);
    const page = readFileSync(at("page.html"), "utf8");

    expect(stderr).toBe("The report is in page.html; open it in a browser.\n");
    expect(page).toContain("the model read 60.0k tokens, 90 % of them from the provider&#39;s cache");
    expect(page.match(/<tr><th scope="row" title="small.jsonl">2026-01-02 project small<\/th>/g)).toHaveLength(2);
    expect(page.match(/<svg class="bar"/g)).toHaveLength(3);
    expect(page).not.toMatch(/<script|https?:|src=|href=/);
    expect(statSync(at("page.html")).mode & 0o777).toBe(0o600);
  });
});

describe("what cannot be meant", () => {
  it.each([
    [[], "Name a session file, or add --all"],
    [["a.jsonl", "--all"], "--all finds the files by itself"],
    [["a.jsonl", "--newest", "3"], "--newest chooses among what --all finds"],
    [["--all", "--newest", "0"], "Write a number from 1 to 10000"],
    [["a.jsonl", "--per-million", "3"], "as in 3/15"],
    [["a.jsonl", "--per-million", "/3"], "as in 3/15"],
    [["a.jsonl", "--prices", "mine"], "anthropic5m"],
  ])("%j is refused with a sentence", async (args, sentence) => {
    const { status, stdout, stderr } = await report(args);

    expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
    expect(stderr).toContain(sentence);
  });
});
