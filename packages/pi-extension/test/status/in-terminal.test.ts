// @module-tag pi
// Verifies: SSOT 5.12: people see the status line and what /cm says in their terminal.
import { openTerminal, withTmux } from "@cm/scripted-models/real-pi";
import { expect, it } from "vitest";
import { storedSessions } from "../support/stored.ts";
import { versionsNow, withPi } from "../support/with-pi.ts";

withTmux("in a terminal", () => {
  for (const version of versionsNow)
    withPi(version, "the context manager", (stages) => {
      it("shows a status line, answers to /cm and proposes what can follow it", async () => {
        const { run } = await stages.open([
          { calls: [{ name: "read", args: { path: "a.txt" } }] },
          { text: "It says alpha." },
        ]);
        const terminal = await openTerminal(run);

        await terminal.until(/^ *cm on/m);

        await terminal.type("What does a.txt say?");
        await terminal.press("Enter");
        await terminal.until("It says alpha.");
        // Nothing is folded yet.
        await terminal.until(/^ *cm on/m);
        // The answer shows before its step is written, and /cm would name a step that is not.
        await expect.poll(() => storedSessions(run.home)).toMatchObject([{ head: { n: 1 } }]);

        await terminal.type("/cm st");
        await terminal.until(/status +what fills/);
        await terminal.press("Tab");
        await terminal.until(/^ *\/cm status/m);
        await terminal.press("Enter");
        const screen = await terminal.until(/state +on\n/);
        expect(screen).toMatch(/kept +\d+ files and outputs/);
        expect(screen).toMatch(/cost +\$0\.\d{3} with answers; Pi alone about \$0\.\d{3}: /);

        await terminal.type("/cm off");
        await terminal.press("Enter");
        await terminal.until(/^ *cm off/m);
        await terminal.press("C-d");
        expect(await terminal.ended()).toBe(0);
      });
    });
});
