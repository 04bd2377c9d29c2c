// @module-tag pi
// Verifies: SSOT 5.12: what people and neighbours do to a running session changes neither what is legal nor what is stored.
import { fileURLToPath } from "node:url";
import {
  type CapturedRequest,
  checkStructure,
  extensionPath,
  openRpc,
  type Play,
  probePath,
  type Rpc,
  type ScriptedAnswer,
} from "@cm/scripted-models/real-pi";
import { expect, it } from "vitest";
import { findings, storedSessions, toolcalls } from "../support/stored.ts";
import { resultsIn, textOf } from "../support/texts.ts";
import { versionsNow, withPi } from "../support/with-pi.ts";
import { injected } from "./support/stage-extension.ts";

const stagePath = fileURLToPath(new URL("support/stage-extension.ts", import.meta.url));
const calls = (name: string, args: ScriptedArgs): ScriptedAnswer => ({ calls: [{ name, args }] });
type ScriptedArgs = Exclude<NonNullable<ScriptedAnswer["calls"]>[number]["args"], string>;

const waits = calls("bash", { command: "touch begun; while [ ! -e go ]; do sleep 0.02; done; echo over" });
const hangs = calls("bash", { command: "sleep 600" });

for (const version of versionsNow) {
  withPi(version, "a working day", (stages) => {
    it("stays sound through steering, aborts, commands, models, neighbours, floods, reloads and switches", async () => {
      const { play, run } = await stages.open([], { extensions: [stagePath, extensionPath(), probePath] });
      await run.home.write({ "b.ts": textOf("beta") });
      const rpc = await openRpc(run);

      await steer(rpc, play, run.home);
      await abortTool(rpc, play);
      await abortAnswer(rpc, play);
      await ownCommand(rpc, play);
      await blocked(rpc, play);
      await flooded(rpc, play);
      await otherModel(rpc, play);
      await switched(rpc, play);

      expect([rpc.extensionErrors, (await rpc.close()).stderr]).toEqual([[], ""]);
      expect(play.requests.flatMap(checkStructure)).toEqual([]);
      expect([play.beyond, play.unreadable]).toEqual([0, []]);
      for (const request of play.requests) expect(count(request, injected), `request ${request.index}`).toBe(1);
      expect(await findings(run.home)).toEqual([]);
      const sessions = await storedSessions(run.home);
      expect(sessions).toHaveLength(2);
      const [first] = sessions.toSorted((one, other) => other.steps - one.steps);
      const stored = await toolcalls(run.home, first?.head ?? { session: "", n: 0 });
      expect(stored.map(({ tool, status }) => `${tool} ${status}`)).toEqual([
        ...[
          "bash ok",
          "bash fail",
          "read fail",
          "flood ok",
          "read ok",
          "cm_context ok",
          "cm_context ok",
          "cm_context ok",
        ],
      ]);
    });
  });
}

/** A message while a tool runs reaches the model once, behind the tool's result. */
async function steer(rpc: Rpc, play: Play, home: { write(files: Record<string, string>): Promise<void> }) {
  play.next([waits, { text: "steered" }]);
  await rpc.start("begin");
  await started(rpc, "bash");
  await rpc.ask("steer", { message: "turn left" });
  await home.write({ go: "" });
  await rpc.settled();

  const { sent } = newest(play);
  const place = sent.messages.findIndex(({ blocks }) => blocks.some((block) => block.kind === "result"));
  const behind = sent.messages.slice(place).flatMap(({ blocks }) => blocks);
  expect(behind.filter((block) => block.kind === "text" && block.text.includes("turn left"))).toHaveLength(1);
  expect(count(newest(play), "turn left")).toBe(1);
}

async function abortTool(rpc: Rpc, play: Play): Promise<void> {
  play.next([hangs, { text: "after the abort" }]);
  const from = rpc.records.length;
  await rpc.start("hang");
  await started(rpc, "bash", from);
  await rpc.ask("abort");
  await rpc.settled(from);
  await rpc.prompt("and on");

  expect(resultsIn(newest(play)).at(-1)).toMatch(/abort/i);
}

async function abortAnswer(rpc: Rpc, play: Play): Promise<void> {
  play.next([{ text: "I begin", end: "stall" }, { text: "again" }]);
  const from = rpc.records.length;
  await rpc.start("talk");
  await rpc.until("its first words", (record) => JSON.stringify(record).includes("I begin"), from);
  await rpc.ask("abort");
  await rpc.settled(from);
  await rpc.prompt("talk again");

  expect(count(newest(play), "I begin")).toBe(0);
  expect(count(newest(play), "talk again")).toBe(1);
}

async function ownCommand(rpc: Rpc, play: Play): Promise<void> {
  play.next([{ text: "seen" }]);
  await rpc.ask("bash", { command: "echo loud-and-clear" });
  await rpc.prompt("what did it say?");

  expect(count(newest(play), "Ran `echo loud-and-clear`\n```\nloud-and-clear")).toBe(1);
}

async function blocked(rpc: Rpc, play: Play): Promise<void> {
  play.next([calls("read", { path: "forbidden.txt" }), { text: "not allowed" }]);
  await rpc.prompt("read it");

  expect(resultsIn(newest(play)).at(-1)).toContain("The neighbour forbids it.");
}

async function flooded(rpc: Rpc, play: Play): Promise<void> {
  play.next([calls("flood", { chars: 6_000 }), { text: "much" }]);
  await rpc.prompt("flood");

  expect(resultsIn(newest(play)).at(-1)).toMatch(/^flood flood/);
}

async function otherModel(rpc: Rpc, play: Play): Promise<void> {
  play.next([calls("read", { path: "b.ts" }), { text: "read by another" }]);
  await rpc.ask("set_model", { provider: "scripted-openai-completions", modelId: "scripted" });
  await rpc.prompt("read b");

  expect(newest(play).format).toBe("openai-completions");
  expect(resultsIn(newest(play)).at(-1)).toContain("beta line 3");
  await rpc.ask("set_model", { provider: "scripted-anthropic-messages", modelId: "scripted" });
}

/** What is pinned stays so through a reload and a visit to another session, which does not know of it. */
async function switched(rpc: Rpc, play: Play): Promise<void> {
  const lists = calls("cm_context", { action: "list" });
  play.next([calls("cm_context", { action: "pin", id: "t5" }), { text: "pinned" }, lists, { text: "listed" }]);
  await rpc.prompt("pin it");
  await rpc.command("/probe-reload");
  await rpc.prompt("list");
  // What another tool said is an object like any other, and folds like any other.
  expect(resultsIn(newest(play)).at(-1)).toContain('\nt4 flood {"chars":6000}: 6,000 characters, left out\n');
  expect(resultsIn(newest(play)).at(-1)).toMatch(/^t5 read b\.ts: .*pinned$/m);
  const { sessionFile } = await rpc.ask("get_state");

  play.next([lists, { text: "nothing" }]);
  await rpc.ask("new_session");
  await rpc.prompt("list here");
  expect(resultsIn(newest(play))).toHaveLength(1);
  expect(resultsIn(newest(play))[0]).not.toMatch(/b\.ts/);

  play.next([lists, { text: "still there" }]);
  await rpc.ask("switch_session", { sessionPath: String(sessionFile) });
  await rpc.prompt("list again");
  expect(resultsIn(newest(play)).at(-1)).toMatch(/^t5 read b\.ts: .*pinned$/m);
}

async function started(rpc: Rpc, tool: string, from = 0): Promise<void> {
  await rpc.until(`${tool} to run`, ({ type, toolName }) => type === "tool_execution_start" && toolName === tool, from);
}

function newest(play: Play): CapturedRequest {
  const request = play.requests.at(-1);
  if (request === undefined) throw new Error("The model was not asked.");
  return request;
}

/** How often a text stands in what was said to the model. */
function count({ sent }: CapturedRequest, text: string): number {
  const said = sent.messages.flatMap(({ blocks }) => blocks.flatMap((block) => ("text" in block ? [block.text] : [])));
  return said.join("\n").split(text).length - 1;
}
