// @module-tag process
// Verifies: tasks, prompt and tools are files; what is wrong with them is said in one sentence, and any change is seen.
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { contextToolName } from "@cm/context-tool";
import { describe, expect, it } from "vitest";
import { liveToolNames } from "../../src/live/agent/tool-calls.ts";
import { readScripts } from "../../src/live/scripted/script.ts";
import { readExperiment } from "../../src/live/tasks/experiment.ts";
import { inFolder } from "../support/command.ts";
import { liveFolder } from "./support/scripted-run.ts";

/** A copy with a few tasks, for a test to change. */
const copied = (parts: readonly string[]) => (change: (folder: string) => void, names?: readonly string[]) =>
  inFolder((folder) => {
    for (const part of ["system-prompt.md", "tools.json", ...parts]) {
      cpSync(join(liveFolder, part), join(folder, part), { recursive: true });
    }
    change(folder);
    return readExperiment(folder, names);
  });

const changed = copied(["projects/plant", "tasks/plant-limit"]);
const sharing = copied([
  ...["projects/tariffs", "faults/tariffs.json", "checks/tariffs"],
  ...["tasks/tariff-mend", "tasks/tariff-release", "tasks/tariff-report"],
]);

/** Changes a text of the copy. */
const edited = (path: string, from: string, to: string) => (folder: string) => {
  const before = readFileSync(join(folder, path), "utf8");
  const after = before.replaceAll(from, to);
  expect(after).not.toBe(before);
  writeFileSync(join(folder, path), after);
};

describe("an experiment", () => {
  it("declares every tool that there is", async () => {
    const { tools } = await changed(() => {});

    expect(tools.map(({ name }) => name).sort()).toEqual([...liveToolNames, contextToolName].sort());
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
    ["an unknown tool", (folder: string) => writeFileSync(join(folder, "tools.json"), '[{"name":"fly"}]')],
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

const copy = { recursive: true } as const;
const textIn = (files: ReadonlyMap<string, Uint8Array>, path: string) =>
  new TextDecoder().decode(files.get(path) ?? new Uint8Array());

describe("what tasks share", () => {
  it("stands in the files of a task with its faults, and only there", async () => {
    const { tasks } = await sharing(() => {});

    const roundsDown = tasks.map(({ files }) => textIn(files, "src/zones/fjord.mjs").includes("Math.floor"));
    expect(tasks.map(({ name }) => name)).toEqual(["tariff-mend", "tariff-release", "tariff-report"]);
    expect(roundsDown).toEqual([true, true, false]);
    expect(tasks.map(({ checkFiles }) => [...checkFiles.keys()].length)).toEqual([2, 5, 1]);
  });

  it.each([
    ["a fault", edited("faults/tariffs.json", "percent(cents, 9)", "percent(cents, 8)"), [true, true, false]],
    ["a check", edited("checks/tariffs/rules.mjs", "760", "761"), [true, true, false]],
    ["another check", edited("checks/tariffs/report.test.mjs", "test(", "test.test("), [false, true, true]],
  ])(
    "changes the hash of the tasks that have it after a change of %s, and of no other",
    async (_what, change, seen) => {
      const [before, after] = [await sharing(() => {}), await sharing(change)];

      expect(after.tasks.map(({ sha256 }, at) => sha256 !== before.tasks[at]?.sha256)).toEqual(seen);
    },
  );

  const task = "tasks/tariff-mend/task.json";
  it.each([
    ["fault that there is not", edited(task, "cedar-night", "toString"), 'names the fault "toString"'],
    [
      "fault of a project without any",
      (folder: string) => rmSync(join(folder, "faults"), copy),
      "no faults/tariffs.json",
    ],
    ["fault whose text is nowhere", edited("faults/tariffs.json", ">= 29", ">= 99"), "exactly once in src/zones/haven"],
    ["fault whose text is twice", edited("faults/tariffs.json", "if (kilograms >= 29) {", "}"), "exactly once"],
    [
      "fault of no shape",
      edited("faults/tariffs.json", '"find"', '"search"'),
      "faults/tariffs.json that cannot be used",
    ],
    ["check that there is not", edited(task, "zones.test.mjs", "../report.test.mjs"), 'the check "../report.test.mjs"'],
    ["check without what it imports", edited(task, ', "rules.mjs"', ""), "imports rules.mjs"],
    ["project that there is not", edited(task, '"tariffs"', '"other"'), "names the project other"],
    ["project left out", edited(task, '"project": "tariffs",', ""), "no project that has them"],
    [
      "check that it has already",
      (folder: string) => cpSync(join(folder, "checks/tariffs"), join(folder, "tasks/tariff-mend/check"), copy),
      "twice",
    ],
  ])("is refused with a %s", async (_what, change, words) => {
    const message = expect.stringContaining(words);
    await expect(sharing(change)).rejects.toMatchObject({ code: "live/usage", message });
  });
});

describe("a script", () => {
  it.each([
    ["a task that there is not", '[{ "as": "nobody" }]'],
    ["a task that goes on as another one", '[{ "as": "tariff-release" }]'],
  ])("is refused where it goes on as %s", async (_what, script) => {
    const { tasks } = await readExperiment(liveFolder, ["tariff-mend"]);

    const reading = inFolder((folder) => {
      cpSync(join(liveFolder, "tasks"), join(folder, "tasks"), copy);
      writeFileSync(join(folder, "tasks/tariff-mend/script.json"), script);
      return readScripts(folder, tasks);
    });

    await expect(reading).rejects.toMatchObject({ code: "live/usage" });
  });
});
