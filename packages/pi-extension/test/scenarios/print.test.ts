// @module-tag pi
// Verifies: SSOT 5.12: switched off Pi is as without us; the other layout is legal and cached; processes share a
// database.
import { fileURLToPath } from "node:url";
import {
  type CapturedRequest,
  checkStructure,
  type PiHome,
  type PiRun,
  runPrint,
  type ScriptedAnswer,
} from "@cm/scripted-models/real-pi";
import { expect, it } from "vitest";
import { inCampaign } from "../../../../tools/in-campaign.ts";
import { findings, storedSessions, toolcalls } from "../support/stored.ts";
import { shownText, textOf } from "../support/texts.ts";
import { versionsNow, withPi } from "../support/with-pi.ts";

const stagePath = fileURLToPath(new URL("support/stage-extension.ts", import.meta.url));
const reads = (path: string): ScriptedAnswer => ({ calls: [{ name: "read", args: { path } }] });
const names = Array.from({ length: 8 }, (_, n) => `f${n}.ts`);
const files = Object.fromEntries(names.map((name) => [name, textOf(name)]));

for (const version of versionsNow) {
  withPi(version, "print runs", (stages) => {
    it.concurrent("send what Pi sends without us where we are switched off, by a variable or by settings", async () => {
      const script = [reads("a.txt"), { calls: [{ name: "bash", args: { command: "cat a.txt" } }] }, { text: "done" }];
      const { play, run } = await stages.open(script);
      const bodies = async (more: Partial<PiRun>): Promise<readonly string[]> => {
        play.next(script);
        const from = play.requests.length;
        expect(await runPrint({ ...run, ...more }, "look")).toMatchObject({ code: 0, stdout: "done\n", stderr: "" });
        return play.requests.slice(from).map(({ body }) => JSON.stringify(body).replaceAll(callIds, "call_N"));
      };

      const without = await bodies({ extensions: [] });
      const byVariable = await bodies({ environment: { CM_OFF: "1" } });
      await run.home.write({ "../agent/context-manager/settings.json": JSON.stringify({ off: true }) });
      const bySettings = await bodies({});

      expect(without).toHaveLength(3);
      expect(byVariable).toEqual(without);
      expect(bySettings).toEqual(without);
      await expect(storedSessions(run.home)).rejects.toThrow();
    });

    it.concurrent("keep the layout of the specification legal and cached", async () => {
      const { play, run } = await stages.open([...names.map(reads), { text: "done" }], {
        environment: { CM_LAYOUT: "ssot" },
      });
      await run.home.write(files);

      const end = await runPrint(run, "read them all");

      expect(end).toMatchObject({ code: 0, stdout: "done\n", stderr: "" });
      expect(play.requests.flatMap(checkStructure)).toEqual([]);
      const last = play.requests.at(-1) as CapturedRequest;
      const [first] = last.sent.messages;
      expect(JSON.stringify(first?.blocks)).toMatch(/f0\.ts/);
      const shown = shownText(last);
      expect(shown).toContain("toolcall_ref");
      expect(shown.lastIndexOf("f7.ts line 3")).toBeGreaterThan(shown.lastIndexOf("toolcall_ref"));
      // A mark on the volatile end alone would be read by no request: one stands before it.
      const marked = last.sent.pieces.flatMap(({ marked: isMarked }, place) => (isMarked ? [place] : []));
      expect(marked.some((place) => place > 5 && place < last.sent.pieces.length - 1)).toBe(true);
      expect(await findings(run.home)).toEqual([]);
    });

    it.concurrent("may be two at a time in one project, each with a sound session", async () => {
      const { play, run } = await stages.open(byPlace);
      await run.home.write(files);
      const many: PiRun = { ...run };

      const ends = await Promise.all(["one", "two"].map((prompt) => runPrint(many, prompt)));

      for (const end of ends) expect(end).toMatchObject({ code: 0, stdout: "done\n", stderr: "" });
      expect(play.requests.flatMap(checkStructure)).toEqual([]);
      await expectSessions(run.home, [6, 6]);
    });

    inCampaign(
      "bear an output of millions of characters: it is stored, and a request has what the window holds",
      async () => {
        const chars = 20_000_000;
        const flood = { calls: [{ name: "flood", args: { chars } }] };
        const { play, run } = await stages.open([flood, { text: "much" }, { text: "done" }]);

        const end = await runPrint({ ...run, extensions: [stagePath, ...(run.extensions ?? [])] }, "flood", "and now?");

        expect(end).toMatchObject({ code: 0, stdout: "done\n", stderr: "" });
        const tokens = play.requests.map(
          ({ tokens: { input, cacheRead, cacheWrite } }) => input + cacheRead + cacheWrite,
        );
        expect(Math.max(...tokens)).toBeLessThan(200_000);
        expect(play.requests.flatMap(checkStructure)).toEqual([]);
        const [session] = await storedSessions(run.home);
        const [stored] = await toolcalls(run.home, session?.head ?? { session: "", n: 0 });
        expect(stored?.text).toHaveLength(chars - (chars % 6));
        await expectSessions(run.home, [3]);
      },
    );

    it.concurrent("end by themselves after many quick calls", async () => {
      const quick = Array.from({ length: 40 }, (_, n) => ({ name: "read", args: { path: names[n % 8] ?? "" } }));
      const { play, run } = await stages.open([{ calls: quick }, { calls: quick }, { text: "done" }]);
      await run.home.write(files);

      const end = await runPrint(run, "quick");

      expect(end).toMatchObject({ code: 0, signal: null, stdout: "done\n", stderr: "" });
      expect(play.requests.flatMap(checkStructure)).toEqual([]);
      await expectSessions(run.home, [3]);
    });
  });
}

const callIds = /call_\d+/g;

/** Reads five files for every request. */
function byPlace({ sent }: CapturedRequest): ScriptedAnswer {
  const place = sent.messages.filter(({ role }) => role === "assistant").length;
  return place < 5
    ? { calls: [{ id: `call_${place}`, name: "read", args: { path: names[place] ?? "" } }] }
    : { text: "done" };
}

async function expectSessions(home: PiHome, steps: readonly number[]): Promise<void> {
  expect((await storedSessions(home)).map((session) => session.steps)).toEqual(steps);
  expect(await findings(home)).toEqual([]);
}
