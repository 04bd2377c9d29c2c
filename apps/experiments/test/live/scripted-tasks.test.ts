// @module-tag process
// Verifies: the loop solves the app's tasks with a scripted model, in both wire formats and under several policies.
import { describe, expect, it } from "vitest";
import { checkTests } from "../../src/live/tasks/check-tests.ts";
import { readExperiment } from "../../src/live/tasks/experiment.ts";
import { writeTree } from "../../src/live/tasks/task-files.ts";
import { workingFolder } from "../example/working-folder.ts";
import { liveFolder, runNamed } from "./support/scripted-run.ts";

const all = (await readExperiment(liveFolder)).tasks;
const short = [
  ["plant-limit", "openai", "plain"],
  ["formula-print", "openai", "log"],
  ["tariff-release", "anthropic", "log"],
] as const;
const long = all.flatMap(({ name }) =>
  (["anthropic", "openai"] as const).flatMap((protocol) =>
    (["plain", "ssot", "log"] as const).map((policy) => [name, protocol, policy] as const),
  ),
);
const isCampaign = process.env.CM_CAMPAIGN === "1";

describe("the scripted model", () => {
  it.each(isCampaign ? long : short)("solves %s over %s under %s", async (name, protocol, policy) => {
    const run = await runNamed(name, { protocol, policy });

    expect(run).toMatchObject({ solved: true, end: "answered", answeredBy: "scripted", retries: 0 });
    expect(run.citations?.ok ?? true).toBe(true);
    expect(run.tokens.output).toBeGreaterThan(0);
  });

  if (isCampaign) {
    it("is billed less under the context log than under the plain one, where a task is long", async () => {
      const plain = await runNamed("tariff-release", { protocol: "anthropic", policy: "plain" });
      const log = await runNamed("tariff-release", { protocol: "anthropic", policy: "lean" });

      expect(plain.requests).toBe(log.requests);
      expect(log.billed).toBeLessThan(plain.billed);
    });
  }
});

describe("the tasks", () => {
  it("are eight at least, and half of them are decided by tests", () => {
    const decidedByTests = all.filter(({ check }) => check.kind === "tests");

    expect(all.length).toBeGreaterThanOrEqual(8);
    expect(2 * decidedByTests.length).toBeGreaterThanOrEqual(all.length);
  });
});

describe("a check", () => {
  const folder = workingFolder();
  const checked = all.filter(({ check, name }) => check.kind === "tests" && (isCampaign || name === "formula-power"));

  it.each(checked)("fails on the untouched files of $name", async ({ files, check, checkFiles }) => {
    await writeTree(files, folder.at("."));

    const { solved } = await checkTests(checkFiles, check.kind === "tests" ? check.passes : 0, folder.workspace());

    expect(solved).toBe(false);
  });
});
