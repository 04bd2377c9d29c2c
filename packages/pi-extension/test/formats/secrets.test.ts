// @module-tag pi
// Verifies: SSOT 5.10 in a real Pi. The model reads a file with a secret as it is, and the database has it nowhere.
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { checkStructure, runPrint } from "@cm/scripted-models/real-pi";
import { expect, it } from "vitest";
import { findings } from "../support/stored.ts";
import { shownText } from "../support/texts.ts";
import { versionsNow, withPi } from "../support/with-pi.ts";

/** Put together here, so that it stands in no file. */
const secret = ["ghp", "_", "Zk3vQ9sTn2", "Lw8xRb5cYd", "7mHf1pJg6u", "AeXo4B"].join("");
const line = `token = "${secret}" # of the release`;

for (const version of versionsNow) {
  withPi(version, "a secret in a file", (stages) => {
    it("reaches the model, which may have to edit it, and is stored nowhere", async () => {
      const { play, run } = await stages.open([
        { calls: [{ name: "read", args: { path: "settings.toml" } }] },
        { calls: [{ name: "bash", args: { command: "cat settings.toml" } }] },
        {
          thinking: `The line is ${line}`,
          text: `I found ${line}`,
          calls: [{ name: "edit", args: { path: "settings.toml", edits: [{ oldText: line, newText: `${line}s` }] } }],
        },
        { text: "Done." },
      ]);
      await run.home.write({ "settings.toml": `name = "a"\n${line}\nlast = 1\n` });

      const end = await runPrint(run, `Look for ${secret}.`);

      expect([end.code, end.stderr]).toEqual([0, ""]);
      expect(play.requests.flatMap(checkStructure)).toEqual([]);
      const [, read, ran, edited] = play.requests.map(shownText);
      expect(read).toContain(`name = "a"\n${line}\nlast = 1`);
      expect(ran?.split(line)).toHaveLength(3);
      expect(edited).toContain(JSON.stringify(`${line}s`));
      expect(await findings(run.home)).toEqual([]);
      expect(await filesWith(join(run.home.agentDir, "context-manager"), secret)).toEqual([]);
    });
  });
}

async function filesWith(folder: string, text: string): Promise<readonly string[]> {
  const names = await readdir(folder);
  expect(names).toContain("objects.sqlite");
  const found: string[] = [];
  for (const name of names) if ((await readFile(join(folder, name))).includes(text)) found.push(name);
  return found;
}
