// Verifies: reference 15, pitfall 3: a real Pi with another extension that works on the prompt after us.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import {
  canRunPi,
  createPiHome,
  extensionPath,
  openRpc,
  preparePi,
  type Script,
  type ScriptedModel,
  startScriptedModel,
  wireFormats,
} from "../../../../tools/real-pi/real-pi.ts";
import { requirement } from "../../../../tools/requirement.ts";

const timeout = 120_000;
const isThere = await canRunPi("0.87.1");
const formats = process.env.CM_CAMPAIGN === "1" ? wireFormats : (["anthropic-messages"] as const);
const script: Script = [{ calls: [{ name: "read", args: { path: "a.txt" } }] }, { text: "One." }, { text: "Two." }];

/** Drops the first message that it finds, as one that makes summaries of its own would. */
const dropping = `export default (pi) => {
  pi.on("context", ({ messages }) => ({ messages: messages.slice(1) }));
};
`;

requirement("Pi 0.87.1", () => isThere)("where another extension changes the prompt behind us", () => {
  let model: ScriptedModel;
  beforeAll(async () => {
    model = await startScriptedModel();
  });
  afterAll(() => model.close());

  it.each(formats)("the user is told once, and is not told where it does not: %s", { timeout }, async (format) => {
    const play = model.play(script);
    const home = await createPiHome({ play, files: { "a.txt": "alpha\n" } });
    const other = join(home.folder, "dropping.ts");
    await writeFile(other, dropping);
    const pi = await preparePi("0.87.1");
    const noticesOf = async (extensions: readonly string[]): Promise<readonly string[]> => {
      play.next(script);
      const rpc = await openRpc({ pi, home, format, extensions });
      await rpc.prompt("Read a.txt.");
      await rpc.prompt("And?");
      await rpc.close();
      return rpc.notices.filter((notice) => notice.includes("Another extension"));
    };

    const [alone, behind] = [await noticesOf([extensionPath()]), await noticesOf([extensionPath(), other])];

    expect(alone).toEqual([]);
    expect(behind).toHaveLength(1);
    await home.remove();
  });
});
