// @module-tag process
// Verifies: SSOT 3.7, decision 0092: what requests sent and cost, and the life of an object, for people and programs.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ContextPolicy, PromptDecision } from "@cm/context-log";
import { stepId } from "@cm/object-model";
import { logLayout, rendererFor } from "@cm/render";
import { forkSession, openSession, type Session } from "@cm/session";
import { openSqliteStore } from "@cm/store-sqlite";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { inProcess } from "../support/in-process.ts";
import { jsonLines } from "../support/run-cm.ts";
import * as shapes from "../support/shapes.ts";

const folder = mkdtempSync(join(tmpdir(), "cm-requests-"));
const path = join(folder, "objects.sqlite");
const cm = (...args: string[]) => inProcess(["--store", path, ...args]);
const onTerminal = (columns: number, ...args: string[]) => inProcess(["--store", path, ...args], { columns });
const output = `${"line of output\n".repeat(200)}`;

/** One call in step 0; step 2 folds it, step 3 brings it back; step 4 is erased later. */
beforeAll(async () => {
  const store = openSqliteStore({ path });
  let decision: PromptDecision = {};
  const policy: ContextPolicy = { contract: "policy/1", name: "told", decide: () => decision };
  let now = Date.UTC(2026, 0, 2, 3, 4, 5);
  const open = (session: string) =>
    openSession({
      ...{ store, session, layout: { policy, renderer: logLayout }, rendererFor, prices: { read: 0.1, write: 1.25 } },
      now: () => {
        now += 1_000;
        return now;
      },
    });
  const session = await open("demo");
  await session.receive([{ role: "user", text: "Look." }]);
  const calls = [{ callId: "call-1", tool: "bash", args: { command: "make" } }];
  await step(session, { answer: { role: "assistant", text: "", calls }, results: [result] });
  await step(session, { ...says("Fine."), usage: { input: 20, output: 5, cacheRead: 100, cacheWrite: 3 } });
  decision = {
    ...{ forms: { "2": { form: "reference" } }, fold: { cut: 2, reason: "rent" } },
    reasons: { "output was read": ["2"] },
  };
  await step(session, says("Folded."));
  decision = { recall: [{ object: "call-1", into: 2 }], reasons: { "agent asked for it": ["call-1"] } };
  decision = { ...decision, fold: { cut: 2, reason: "asked" } };
  await step(session, says("Back."));
  decision = {};
  await step(session, says("Gone."));
  await session.close();
  await forkSession(store, { session: "demo", n: 3 }, { session: "fork" });
  const fork = await open("fork");
  await step(fork, says("Else."));
  await fork.close();
  await store.erase([stepId({ session: "demo", n: 4 })], "a leaked key");
  await store.close();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const result = { role: "tool", callId: "call-1", text: output, failed: false } as const;
const says = (text: string) => ({ answer: { role: "assistant", text } }) as const;

async function step(session: Session, record: Parameters<Session["record"]>[0]): Promise<void> {
  await session.assemble();
  await session.record(record);
}

describe("cm requests", () => {
  it("says first what all of them come to, then each of them, the newest first", async () => {
    const { status, stdout, stderr } = await cm("requests", "fork");

    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    const [head = "", table = ""] = stdout.split("\n\n");
    expect(head).toMatch(/^session +fork\nrequests +5 \(1 folded text, 1 brought text back\)$/m);
    expect(head).toMatch(/^made +2026-01-02 03:04:\d\dZ to 2026-01-02 03:04:\d\dZ$/m);
    expect(head).toMatch(/^billed +\d+ % of the plain conversation's input: [\d,]+ in place of [\d,]+$/m);
    expect(head).toMatch(/^tokens +123 in, 81 % of them cached, 5 out, as the agent recorded them$/m);
    const rows = table.trim().split("\n");
    expect(rows.map((line) => line.trim().split(/\s{2,}/)[0])).toEqual([
      ...["step", "0", "demo@3", "demo@2", "demo@1", "demo@0"],
    ]);
    expect(rows[2]).toMatch(/ 1 brought back$/);
    expect(rows[3]).toMatch(/ 1 text folded \(cheaper than to send them along\)$/);
  });

  it.each([80, 150])("fits a terminal of %i columns", async (columns) => {
    const { stdout } = await onTerminal(columns, "requests", "fork");

    const lines = stdout.split("\n");
    expect(lines.filter((line) => line.length > columns)).toEqual([]);
    expect(
      lines.some((line) => line.endsWith(columns === 80 ? "  1 folded" : "(cheaper than to send them along)")),
    ).toBe(true);
  });

  it("gives programs one line each, also of an erased step", async () => {
    const lines = jsonLines((await cm("--json", "requests", "demo")).stdout);

    expect(shapes.erasedRequest.parse(lines[0]).step.n).toBe(4);
    const requests = lines.slice(1).map((line) => shapes.request.parse(line));
    expect(requests.map(({ request }) => request)).toEqual([3, 2, 1, 0]);
    expect(requests[1]).toMatchObject({ fold: { cut: 2, cause: "rent", parts: 1 }, reasons: { "output was read": 1 } });
    expect(JSON.stringify(lines)).not.toContain("line of output");
  });

  it("lists from one step to another, at the prices of a provider", async () => {
    const numbers = async (...args: string[]) =>
      jsonLines((await cm("--json", "requests", "fork", ...args)).stdout).map((line) => shapes.request.parse(line));

    const [range, own] = [await numbers("--from", "demo@1", "--to", "demo@2"), await numbers("--from", "0")];
    const [dear, cheap] = [await numbers("--prices", "anthropic1h"), await numbers("--prices", "openaiGpt5")];

    expect(range.map(({ step: { session, n } }) => `${session}@${n}`)).toEqual(["demo@2", "demo@1"]);
    expect(own.map(({ request }) => request)).toEqual([4]);
    expect(dear.at(-1)?.billed).toBe(2 * (cheap.at(-1)?.billed ?? 0));
  });

  it("says what is wrong with a step, a provider, or a session", async () => {
    expect(await cm("requests", "demo", "--from", "x")).toMatchObject({ status: 2 });
    expect(await cm("requests", "demo", "--prices", "mine")).toMatchObject({ status: 2 });
    expect(await cm("requests", "nobody")).toMatchObject({ status: 3 });
    const none = await cm("requests", "fork", "--from", "7");
    const said = "Session fork has no request from step 7 on; its newest is of step 0.\n";
    expect([none.status, none.stdout, none.stderr]).toEqual([0, "", said]);
    const reversed = await cm("requests", "demo", "--from", "3", "--to", "1");
    expect(reversed.stderr).toMatch(
      /^Session demo has no request from step 3 to step 1; its newest is of step \d+\.\n$/,
    );
  });
});

describe("cm why", () => {
  it.each(["t1", "call-1"])("tells where the texts of %s stood, and why they went and came back", async (name) => {
    const { status, stdout } = await cm("why", "fork", name);

    expect(status).toBe(0);
    expect(stdout).toMatch(/^object +t1 {2}bash \{"command":"make"\}|^object +t1 {2}bash /);
    expect(stdout).toMatch(/^met +step demo@0, 2026-01-02 03:04:\d\dZ$/m);
    expect(stdout.slice(stdout.indexOf("Output of t1"))).toBe(
      [
        "Output of t1 (bash), 3,000 characters",
        "  step demo@1       in full",
        "  from step demo@2 on  folded to a line: its output had been read and was not used again",
        "Brought back, 3,000 characters",
        "  from step demo@3 on  in full: the agent asked for it",
        "",
      ]
        .join("\n")
        .replace("step demo@1       in", "step demo@1          in"),
    );
  });

  it("gives programs all of it, without a text", async () => {
    const [line, ...others] = jsonLines((await cm("--json", "why", "demo", "t1")).stdout);

    const life = shapes.life.parse(line);
    expect(others).toEqual([]);
    expect(life).toMatchObject({ alias: "t1", type: "toolcall", complete: false, met: { request: 0 } });
    expect(JSON.stringify(line)).not.toContain("line of output");
  });

  it("says that a session has not met it", async () => {
    const { status, stderr } = await cm("why", "demo", "f9");

    expect(status).toBe(3);
    expect(stderr).toContain("f9");
  });
});

describe("cm at", () => {
  it("tells what its request sent, cost and folded", async () => {
    const { stdout } = await cm("at", "demo@2");

    expect(stdout).toMatch(/^request +[\d,]+ characters, \d+ % of them as in the request before$/m);
    expect(stdout).toMatch(/^billed +[\d,]+ for input; the plain conversation's would be [\d,]+$/m);
    expect(stdout).toMatch(/^with it +1 text folded \(cheaper than to send them along\)$/m);
  });
});
