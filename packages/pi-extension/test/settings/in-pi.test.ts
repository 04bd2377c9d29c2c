// @module-tag pi
// Verifies: SSOT 5.12: in a real Pi a project's settings count where Pi trusts it, those of a model from the next request
// on, and mistakes are said once.

import { openRpc } from "@cm/scripted-models/real-pi";
import { expect, it } from "vitest";
import { versionsNow, withPi } from "../support/with-pi.ts";

const project = {
  ".pi/context-manager.json": '{ "preset": "careful", "protect": { "tools": ["bash"] }, "store": "x" }',
};
const user = `{
  // cheap, but for one model
  "preset": "lean",
  "colour": "blue",
  "models": { "scripted-openai*": { "notices": "long", "protect": { "prompts": 2 } } },
}`;

for (const version of versionsNow) {
  withPi(version, "settings", (stages) => {
    it("of user, project and model are in force, and every mistake is in one notice", async () => {
      const { run } = await stages.open([{ text: "one" }, { text: "two" }]);
      await run.home.write({ ...project, "../agent/context-manager/settings.json": user });
      const rpc = await openRpc(run);
      const settings = async (): Promise<string | undefined> => {
        await rpc.command("/cm doctor");
        return /^ok +settings +(.*)$/m.exec(rpc.notices.at(-1) ?? "")?.[1];
      };

      const said = rpc.notices.filter((notice) => notice.includes("mistake"));
      expect(said).toEqual([
        expect.stringMatching(/^Context Manager found 2 mistakes in its settings; .*\n- .*\n- .*$/),
      ]);
      expect(said[0]).toMatch(
        /context-manager\.json, line 1: "store" is not taken from a project, .*Now the default holds\.$/m,
      );
      expect(said[0]).toMatch(/settings\.json, line 4: "colour" is not known\. It is left aside\.$/m);
      await rpc.prompt("first");
      expect(await settings()).toBe("preset careful; notices short; protected: bash");

      await rpc.ask("set_model", { provider: "scripted-openai-completions", modelId: "scripted" });
      await rpc.prompt("second");

      expect(await settings()).toBe("preset careful; notices long; protected: bash, the last 2 prompts");
      expect([rpc.extensionErrors, (await rpc.close()).stderr]).toEqual([[], ""]);
    });

    it("of a project that Pi does not trust are not read", async () => {
      const { run } = await stages.open([{ text: "one" }]);
      // With a file of Pi's own there it asks, and where it cannot, the answer is no.
      await run.home.write({ ...project, ".pi/settings.json": "{}" });
      const rpc = await openRpc(run);

      await rpc.command("/cm doctor");

      expect(rpc.notices.at(-1)).toMatch(/^ok +settings +preset default; notices short$/m);
      expect(rpc.notices.join()).not.toContain("mistake");
      await rpc.close();
    });
  });
}
