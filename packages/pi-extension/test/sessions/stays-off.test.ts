// @module-tag pi
// @module-tag long
// Verifies: SSOT 5.12: what was turned off stays off until a person turns it on, and then the model has our tool again.
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { contextToolName } from "@cm/context-tool";
import { openRpc, openTerminal, type Play, runPrint, withTmux } from "@cm/scripted-models/real-pi";
import { expect, it } from "vitest";
import { inCampaign } from "../../../../tools/in-campaign.ts";
import { versionsNow, withPi } from "../support/with-pi.ts";

const reads = { calls: [{ name: "read", args: { path: "a.txt" } }] };
const says = (text: string) => ({ text });

const hasTool = (play: Play): boolean | undefined =>
  play.requests.at(-1)?.sent.tools.some(({ name }) => name === contextToolName);

for (const version of versionsNow) {
  withPi(version, "/cm off", (stages) => {
    it("holds over an end of Pi and a resume, until /cm on, and for no other session", async () => {
      const { play, run } = await stages.open([reads, says("one"), says("two")]);
      const first = await openRpc(run);
      await first.prompt("first");
      await first.command("/cm off");
      expect(first.notices.at(-1)).toMatch(/That stays so in this session, also when Pi is started again/);
      await first.prompt("second");
      expect([hasTool(play), first.status("cm")]).toEqual([false, "cm off"]);
      await first.close();

      play.next([says("three"), says("four")]);
      const resumed = await openRpc({ ...run, args: ["--continue"] });
      expect(resumed.status("cm")).toBe("cm off");
      await resumed.prompt("third");
      expect(hasTool(play)).toBe(false);
      await resumed.command("/cm on");
      await resumed.prompt("fourth");
      expect(hasTool(play)).toBe(true);
      expect([resumed.extensionErrors, (await resumed.close()).stderr]).toEqual([[], ""]);

      play.next([says("five"), says("six")]);
      await runPrint({ ...run, args: ["--continue"] }, "fifth");
      expect(hasTool(play)).toBe(true);
      await runPrint(run, "a new session");
      expect(hasTool(play)).toBe(true);
    });

    inCampaign(
      "always: no session begins with it, one may have it all the same, and settings keep their comments",
      async () => {
        const { play, run } = await stages.open([says("one"), says("two"), says("three"), says("four")]);
        const file = join(run.home.agentDir, "context-manager", "settings.json");
        await run.home.write({ "../agent/context-manager/settings.json": '{\n  // mine\n  "preset": "lean",\n}\n' });
        const rpc = await openRpc(run);
        await rpc.command("/cm off always");
        await rpc.prompt("first");
        await rpc.close();

        await runPrint(run, "second");

        expect(hasTool(play)).toBe(false);
        expect(readFileSync(file, "utf8")).toBe('{\n  // mine\n  "preset": "lean",\n  "off": true,\n}\n');
        expect(statSync(file).mode & 0o777).toBe(0o600);
        const other = await openRpc(run);
        expect(other.status("cm")).toBeUndefined();
        await other.command("/cm on");
        await other.prompt("third");
        expect(hasTool(play)).toBe(true);
        await other.command("/cm on always");
        await other.close();
        await runPrint(run, "fourth");
        expect(hasTool(play)).toBe(true);
        expect(readFileSync(file, "utf8")).toBe('{\n  // mine\n  "preset": "lean",\n  "off": false,\n}\n');
      },
    );
  });
}

/** Pi refuses it until the answer that is shown has ended for all extensions, too. */
async function reload(terminal: Awaited<ReturnType<typeof openTerminal>>): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    await terminal.enter("/reload");
    const refused = `(?:Wait for the current response[^]*){${tries}}`;
    if (/Reloaded/i.test(await terminal.until(new RegExp(`Reloaded|${refused}`, "i")))) return;
  }
}

withTmux("in a terminal", () => {
  for (const version of versionsNow)
    withPi(version, "/cm off", (stages) => {
      it("holds over /reload", async () => {
        const { play, run } = await stages.open([says("One."), says("Two.")]);
        const terminal = await openTerminal(run);
        await terminal.until(/^ *cm on/m);
        await terminal.type("first");
        await terminal.press("Enter");
        await terminal.until("One.");
        await terminal.type("/cm off");
        await terminal.press("Enter");
        await terminal.until(/^ *cm off/m);

        await reload(terminal);
        await terminal.type("second");
        await terminal.press("Enter");
        const screen = await terminal.until("Two.");

        expect(screen).toMatch(/^ *cm off/m);
        expect(hasTool(play)).toBe(false);
        await terminal.press("C-d");
        expect(await terminal.ended()).toBe(0);
      });
    });
});
