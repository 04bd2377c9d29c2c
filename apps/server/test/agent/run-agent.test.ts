// @module-tag process
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type ScriptedModel, startScriptedModel } from "@cm/scripted-models";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runAgent } from "../../src/agent/run-agent.ts";
import { folderWith, readyRun, removed } from "../support/scripted.ts";

let scripted: ScriptedModel;
beforeAll(async () => {
  scripted = await startScriptedModel();
});
afterAll(() => scripted.close());

describe("a run of the agent", () => {
  it("reads, edits and runs commands, and each answer is a step of the session", async () => {
    const folder = folderWith({ "a.txt": "alpha\n" });
    const play = scripted.play([
      { thinking: "I look.", calls: [{ name: "read", args: { path: "a.txt" } }] },
      { calls: [{ name: "edit", args: { path: "a.txt", edits: [{ oldText: "alpha", newText: "beta" }] } }] },
      { calls: [{ name: "bash", args: { command: "cat a.txt" } }] },
      { text: "It says beta." },
    ]);
    const ready = await readyRun(play, folder, "Make it beta.");

    const outcome = await runAgent(ready.options);

    expect(outcome).toMatchObject({
      end: "answered",
      text: "It says beta.",
      last: { address: { session: "c1", n: 3 } },
    });
    expect(readFileSync(join(folder, "a.txt"), "utf8")).toBe("beta\n");
    expect(play.requests).toHaveLength(4);
    expect(play.unreadable).toEqual([]);
    expect(outcome.usage).toMatchObject([{ model: "scripted", requests: 4 }]);
    expect((await ready.options.session.objects()).map(({ kind }) => kind).sort()).toEqual([
      "file",
      "toolcall",
      "toolcall",
      "toolcall",
    ]);
    await ready.close();
    removed(folder);
  });
});
