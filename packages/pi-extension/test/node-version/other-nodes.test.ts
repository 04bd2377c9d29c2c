// @module-tag pi
// @module-tag long
// Verifies: SSOT 5.12: the extension works on the Node that Pi itself asks for, and on the newest; record 0081.
import { execFileSync } from "node:child_process";
import { checkStructure, openTerminal, runJson, runPrint, withTmux } from "@cm/scripted-models/real-pi";
import { expect, it } from "vitest";
import { withNodes } from "../../../../tools/nodes/with-nodes.ts";
import { readsTwice, sameAsBefore } from "../support/repeated-reads.ts";
import { findings, storedSessions } from "../support/stored.ts";
import { resultsIn, shownText, textOf } from "../support/texts.ts";
import { versionsNow, withPi } from "../support/with-pi.ts";

const thisNode = process.execPath;
const files = { "a.ts": textOf("alpha"), "b.ts": textOf("beta") };
const quiet = { code: 0, stdout: "done\n", stderr: "" };

withNodes("the context manager", ({ version: wanted, node }) => {
  it("is tried with that very Node", () => {
    expect(execFileSync(node, ["--version"], { encoding: "utf8" })).toBe(`v${wanted}\n`);
  });

  for (const version of versionsNow)
    withPi(version, `Node ${wanted}`, (stages) => {
      it("folds, stores, and prints nothing of its own; the session goes on on another Node and comes back", async () => {
        const { play, run } = await stages.open([...readsTwice("a.ts"), { text: "done" }]);
        const { home } = run;
        await home.write(files);

        const begun = await runPrint({ ...run, node }, "What does a.ts say?");
        const first = resultsIn(play.requests.at(-1));
        play.next([...readsTwice("b.ts"), { text: "done" }]);
        const onThis = await runPrint({ ...run, node: thisNode, args: ["--continue"] }, "And b.ts?");
        play.next([...readsTwice("a.ts"), { text: "done" }]);
        const { events, ...back } = await runJson({ ...run, node, args: ["--continue"] }, "And a.ts again?");

        expect([begun, onThis]).toMatchObject([quiet, quiet]);
        expect(back).toMatchObject({ code: 0, stderr: "" });
        expect(events.map(({ type }) => type)).toContain("agent_end");
        expect(first).toEqual([files["a.ts"], expect.stringMatching(sameAsBefore)]);
        expect(play.requests.flatMap(checkStructure)).toEqual([]);
        // What each Node stored the other knows: the first reading of a file stays the only one with its text.
        const shown = shownText(play.requests.at(-1));
        expect(["alpha", "beta"].map((name) => shown.split(`${name} line 3:`).length - 1)).toEqual([1, 1]);
        expect(await findings(home)).toEqual([]);
        expect((await storedSessions(home)).map(({ steps }) => steps)).toEqual([9]);
      });
    });
});

withTmux("in a terminal", () => {
  withNodes("the context manager", ({ node }) => {
    withPi("0.87.1", "the screen", (stages) => {
      it("has the status line and no warning", async () => {
        const { run } = await stages.open([...readsTwice("a.ts"), { text: "It says alpha." }]);
        await run.home.write(files);
        const terminal = await openTerminal({ ...run, node });
        await terminal.until(/^ *cm on/m);

        await terminal.enter("What does a.ts say?");
        const screen = await terminal.until(/It says alpha\.[\s\S]*\n *cm (?:on|saved)/);

        expect(screen).not.toMatch(/experimental|trace-warnings/i);
        await terminal.press("C-d");
        expect(await terminal.ended()).toBe(0);
      });
    });
  });
});
