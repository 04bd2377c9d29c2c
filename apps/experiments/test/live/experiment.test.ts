// Verifies: tasks, prompt and tools are files; what is wrong with them is said in one sentence, and any change is seen.
import { cpSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { liveToolNames } from "../../src/live/agent/tool-calls.ts";
import { readExperiment } from "../../src/live/tasks/experiment.ts";
import { inFolder } from "../support/command.ts";
import { liveFolder } from "./support/scripted-run.ts";

/** A copy with one task, for a test to change. */
const changed = (change: (folder: string) => void, names?: readonly string[]) =>
  inFolder((folder) => {
    for (const part of ["system-prompt.md", "tools.json", "projects/plant", "tasks/plant-limit"]) {
      cpSync(join(liveFolder, part), join(folder, part), { recursive: true });
    }
    change(folder);
    return readExperiment(folder, names);
  });

describe("an experiment", () => {
  it("declares every tool that there is", async () => {
    const { tools } = await changed(() => {});

    expect(tools.map(({ name }) => name).sort()).toEqual([...liveToolNames].sort());
  });

  it.each([
    ["a prompt", (folder: string) => writeFileSync(join(folder, "tasks/plant-limit/prompt.md"), "Other.")],
    ["a file", (folder: string) => writeFileSync(join(folder, "projects/plant/config/defaults.conf"), "x = 1\n")],
    ["a further prompt", (folder: string) => writeFileSync(join(folder, "tasks/plant-limit/prompt-2.md"), "More.")],
  ])("has another hash after a change of %s", async (_what, change) => {
    const [before, after] = [await changed(() => {}), await changed(change)];

    expect(after.hashes.systemPrompt).toBe(before.hashes.systemPrompt);
    expect(after.hashes.tasks["plant-limit"]).not.toBe(before.hashes.tasks["plant-limit"]);
  });

  it.each([
    ["no tools", (folder: string) => rmSync(join(folder, "tools.json"))],
    ["a tool that nobody knows", (folder: string) => writeFileSync(join(folder, "tools.json"), '[{"name":"fly"}]')],
    ["a task without a check", (folder: string) => writeFileSync(join(folder, "tasks/plant-limit/task.json"), "{}")],
    ["a task without a prompt", (folder: string) => mkdirSync(join(folder, "tasks/empty"))],
    [
      "tests that no check runs",
      (folder: string) =>
        cpSync(join(folder, "projects"), join(folder, "tasks/plant-limit/check"), { recursive: true }),
    ],
  ])("is refused with %s", async (_what, change) => {
    await expect(changed(change)).rejects.toMatchObject({ code: "live/usage" });
  });

  it("is refused with a task of a name that there is not", async () => {
    await expect(changed(() => {}, ["../plant"])).rejects.toMatchObject({ code: "live/usage" });
  });
});
