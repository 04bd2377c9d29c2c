// @module-tag pi
// Verifies: what the other tests of this folder rest on. Without our extension, a real Pi does with each wire format what
// the scripted model says, and the requests are such as a provider takes.
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import {
  billed,
  canRunPi,
  checkStructure,
  createPiHome,
  openRpc,
  openTerminal,
  type PiHome,
  type Play,
  piVersions,
  preparePi,
  probePath,
  runJson,
  runPrint,
  type Script,
  startScriptedModel,
  wireFormats,
  withTmux,
} from "@cm/scripted-models/real-pi";
import { afterAll, describe, expect, it } from "vitest";
import { requirement } from "../../../../tools/requirement.ts";

const model = await startScriptedModel();
const homes: PiHome[] = [];
/** What each Pi of this file needs at most, on a machine with much else to do. */
afterAll(async () => {
  await Promise.all(homes.map((home) => home.remove()));
  await model.close();
});

async function homeFor(play: Play): Promise<PiHome> {
  const home = await createPiHome({ play, files: { "alpha.txt": "first\n", "beta.txt": "second\n", "dot.png": dot } });
  homes.push(home);
  return home;
}

/** The extension's own tests go through all of them; without it one shows that the kit works. */
const formats = process.env.CM_CAMPAIGN === "1" ? wireFormats : wireFormats.slice(0, 1);

/** One pixel. */
const dot = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

/** A read, parallel calls, calls that fail in three ways, an image. */
const script: Script = [
  { thinking: "I should look first.", text: "I look.", calls: [{ name: "read", args: { path: "alpha.txt" } }] },
  {
    calls: [
      { name: "read", args: { path: "beta.txt" } },
      { name: "read", args: { path: "absent.txt" } },
      { name: "bash", args: { command: "echo loud; exit 3" } },
      { name: "nothing", args: {} },
    ],
  },
  { thinking: "Now the image.", calls: [{ name: "read", args: { path: "dot.png" } }] },
  { text: "All seen: ünïcode 🎉." },
];

const able = new Map(await Promise.all(piVersions.map(async (version) => [version, await canRunPi(version)] as const)));

for (const version of piVersions) {
  const withPi = requirement(`Pi ${version}`, () => able.get(version) === true);

  withPi(`Pi ${version} with the scripted model`, () => {
    it.concurrent.each(formats)("follows the script in print mode over %s", async (format) => {
      const play = model.play(script);
      const home = await homeFor(play);

      const end = await runPrint({ pi: await preparePi(version), home, format }, "Look at everything.");

      expect(end).toMatchObject({ code: 0, stdout: "All seen: ünïcode 🎉.\n", stderr: "" });
      expect(play.requests.flatMap(checkStructure)).toEqual([]);
      expect({ beyond: play.beyond, unreadable: play.unreadable, apart: play.apart }).toEqual({
        ...{ beyond: 0, unreadable: [], apart: [] },
      });
      const blocks = play.requests.at(-1)?.sent.messages.flatMap((message) => message.blocks) ?? [];
      const results = blocks.flatMap((block) => (block.kind === "result" ? [[block.id, block.text]] : []));
      expect(results).toEqual([
        ["call_0_0", "first\n"],
        ["call_1_0", "second\n"],
        ["call_1_1", expect.stringContaining("ENOENT")],
        ["call_1_2", expect.stringMatching(/^loud\s+.*code 3$/s)],
        ["call_1_3", expect.stringContaining("nothing")],
        ["call_2_0", expect.stringContaining("image/png")],
      ]);
      // Chat completions have no images in results: Pi adds a message of the user's.
      expect(JSON.stringify(blocks)).toContain(`"mediaType":"image/png","data":"${dot.toString("base64")}"`);
      // Each request begins with the one before: what a cache reads, and what a run costs.
      const all = play.requests.map(({ tokens }) => tokens.input + tokens.cacheRead + tokens.cacheWrite);
      expect(play.requests.map(({ tokens }) => tokens.cacheRead)).toEqual([0, ...all.slice(0, -1)]);
      const [last = 0, before = 0] = all.toReversed();
      expect(billed(play.requests.slice(-1), { read: 0.1, write: 1 })).toBeCloseTo(last - before + before * 0.1);
    });

    it("tells what happens over rpc, and can be aborted, gone back in and ended", async () => {
      const play = model.play([{ text: "Once." }, { text: "I begin", end: "stall" }, { text: "Again." }]);
      const home = await homeFor(play);
      const log = join(home.folder, "events.jsonl");
      const environment = { CM_PROBE_LOG: log };
      const format = "anthropic-messages";
      const rpc = await openRpc({ pi: await preparePi(version), home, format, extensions: [probePath], environment });

      await rpc.prompt("First?");
      const { leafId } = await rpc.ask("get_entries");
      const from = rpc.records.length;
      await rpc.start("Second?");
      await rpc.until("its first words", (record) => JSON.stringify(record).includes("I begin"), from);
      await rpc.ask("abort");
      await rpc.command(`/probe-tree ${leafId} summary`);
      await rpc.prompt("Third?");
      const end = await rpc.close();

      expect(end).toMatchObject({ code: 0, stderr: "" });
      expect([rpc.notices, rpc.extensionErrors]).toEqual([["probe-tree done"], []]);
      expect(play.requests.flatMap(checkStructure)).toEqual([]);
      expect(play.apart).toHaveLength(1);
      const said = play.requests.map(({ sent }) => sent.messages.map(({ role }) => role).join(" "));
      // The branch's summary is a message of the user's.
      expect(said).toEqual(["user", "user assistant user", "user assistant user user"]);
      const events = (await readFile(log, "utf8")).trim().split("\n");
      const types = events.map((line) => (JSON.parse(line) as { event: { type: string } }).event.type);
      expect([types[0], types.at(-1)]).toEqual(["session_start", "session_shutdown"]);
      expect(types.slice(types.indexOf("session_before_tree")).slice(0, 2)).toEqual([
        ...["session_before_tree", "session_tree"],
      ]);
    });
  });
}

describe("the kit", () => {
  it("gives the events of a json run, and says when a script was too short", async () => {
    const play = model.play([{ text: "Only this.", usage: "none" }]);
    const run = { pi: await preparePi("0.87.1"), home: await homeFor(play), format: "openai-completions" } as const;

    const { events } = await runJson(run, "First?", "Second?");

    const settled = events.filter(({ type }) => type === "agent_settled");
    expect([events[0]?.type, settled.length, play.beyond]).toEqual(["session", 2, 1]);
  });

  it("kills a Pi in the middle of a call, and ends what that left behind with its home", async () => {
    const command = "echo $$ > pid; mv pid started; exec sleep 600";
    const play = model.play([{ calls: [{ name: "bash", args: { command } }] }]);
    const home = await homeFor(play);
    const rpc = await openRpc({ pi: await preparePi("0.87.1"), home, format: "openai-responses" });
    await rpc.start("Wait.");
    const started = join(home.workDir, "started");
    await expect.poll(() => existsSync(started)).toBe(true);
    const pid = Number(await readFile(started, "utf8"));

    const end = await rpc.kill();
    const entries = await home.sessionEntries();
    await home.remove();

    expect(end.signal).toBe("SIGKILL");
    expect(entries.at(-1)).toMatchObject({ type: "message", message: { role: "assistant" } });
    const signalled = (): unknown => {
      try {
        return process.kill(pid, 0);
      } catch (error) {
        return (error as NodeJS.ErrnoException).code;
      }
    };
    await expect.poll(signalled).toBe("ESRCH");
  });
});

withTmux("Pi in a terminal", () => {
  it("shows what the model says, and ends with a code", async () => {
    const home = await homeFor(model.play([{ text: "Seen in a terminal." }]));
    const terminal = await openTerminal({ pi: await preparePi("0.87.1"), home, format: "openai-completions" });

    await terminal.enter("Hello?");
    const screen = await terminal.until("Seen in a terminal.");
    await terminal.enter("/quit");

    expect(screen).toContain("Hello?");
    expect(await terminal.ended()).toBe(0);
  });
});
