// @module-tag pi
// Verifies: a real Pi with another extension that works on requests where we cannot follow it.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
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
} from "@cm/scripted-models/real-pi";
import { afterAll, beforeAll, expect, it } from "vitest";
import { requirement } from "../../../../tools/requirement.ts";

const isThere = await canRunPi("0.87.1");
const formats = process.env.CM_CAMPAIGN === "1" ? wireFormats : (["anthropic-messages"] as const);
const script: Script = [{ calls: [{ name: "read", args: { path: "a.txt" } }] }, { text: "One." }, { text: "Two." }];

/** Drops the first message behind all that works on the context. */
const behind = `export default (pi) => {
  pi.on("context_with_system", ({ messages }) => ({ messages: messages.toSpliced(1, 1) }));
};
`;

/** Drops the first message that it finds, as one that makes summaries of its own would: we send what it leaves. */
const before = `export default (pi) => {
  pi.on("context", ({ messages }) => ({ messages: messages.slice(1) }));
};
`;

requirement("Pi 0.87.1", () => isThere)("where another extension changes requests behind us", () => {
  let model: ScriptedModel;
  beforeAll(async () => {
    model = await startScriptedModel();
  });
  afterAll(() => model.close());

  it.each(formats)("the user is told once, and is not told where it does not: %s", async (format) => {
    const play = model.play(script);
    const home = await createPiHome({ play, files: { "a.txt": "alpha\n" } });
    const [behindUs, beforeUs] = [join(home.folder, "behind.ts"), join(home.folder, "before.ts")];
    await writeFile(behindUs, behind);
    await writeFile(beforeUs, before);
    const pi = await preparePi("0.87.1");
    const noticesOf = async (extensions: readonly string[]): Promise<readonly string[]> => {
      play.next(script);
      const rpc = await openRpc({ pi, home, format, extensions });
      await rpc.prompt("Read a.txt.");
      await rpc.prompt("And?");
      await rpc.close();
      return rpc.notices.filter((notice) => notice.includes("Another extension"));
    };

    expect(await noticesOf([extensionPath()])).toEqual([]);
    expect(await noticesOf([extensionPath(), beforeUs])).toEqual([]);
    expect(await noticesOf([extensionPath(), behindUs])).toHaveLength(1);
    await home.remove();
  });
});
