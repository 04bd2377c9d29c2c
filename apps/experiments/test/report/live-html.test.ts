import { describe, expect, it } from "vitest";
import type { LiveResults, LiveRun } from "../../src/live/results/live-result.ts";
import { liveReportHtml } from "../../src/report/live-html.ts";
import { hostile } from "./support/hostile-runs.ts";
import { tagsOf } from "./support/tags.ts";

const run = (task: string, policy: string, change: Partial<LiveRun> = {}): LiveRun => ({
  ...{ task, policy, layout: `${policy}/1`, repetition: 0, seed: 1, solved: true, why: "4 tests pass" },
  ...{ citations: { ok: true, given: 2, found: 2 }, end: "answered", answeredBy: "a-model-1", requests: 9, retries: 0 },
  tokens: { input: 100, output: 50, cacheRead: 8_000, cacheWrite: 1_000 },
  ...{ billed: policy === "plain" ? 2_000 : 1_100, seconds: 12.5, session: "s", database: undefined },
  ...change,
});

const resultsOf = (runs: readonly LiveRun[], text = "a"): LiveResults => ({
  ...{ command: text, version: text, createdAt: text, protocol: text, model: text, endpoint: text },
  ...{ windowTokens: 32_000, extra: {}, network: "none", prices: { name: text, read: 0.1, write: 1.25 } },
  ...{ limits: { stepsMax: 60 }, sha256: { systemPrompt: text, tools: text, tasks: { [text]: text } }, runs },
});

const text = (page: string): string => page.replace(/<[^>]*>/g, "").replace(/\s+/g, " ");

describe("the report of live runs", () => {
  it("says how many runs were solved, what they were billed against the agent alone, and what was not solved", () => {
    const failed = { solved: false, why: "1 of 4 tests fails", end: "steps" } as const;

    const page = text(liveReportHtml(resultsOf([run("sum", "plain"), run("sum", "log"), run("leak", "log", failed)])));

    expect(page).toContain("2 tasks under 2 policies");
    expect(page).toMatch(/log ?1 of 2 solved ?billed 110\.0 % of the agent alone ?quotes right in 2 of 2/);
    expect(page).toMatch(/log ?leak ?1 of 4 tests fails ?1 ?steps/);
  });

  it("names the hashes of what was equal for all policies, and the model", () => {
    const sha256 = { systemPrompt: "11".repeat(32), tools: "22".repeat(32), tasks: { sum: "33".repeat(32) } };

    const page = text(
      liveReportHtml({ ...resultsOf([run("sum", "log")]), model: "a-model", sha256 }, { log: "The log." }),
    );

    expect(page).toContain(`system prompt ${sha256.systemPrompt}`);
    expect(page).toContain(`tool descriptions ${sha256.tools}`);
    expect(page).toContain(`sum ${sha256.tasks.sum}`);
    expect(page).toContain("a-model, answered by a-model-1");
    expect(page).toContain("The log. Layout log/1.");
  });

  it("escapes every text from outside", () => {
    const bad = run(hostile, hostile, { layout: hostile, why: hostile, answeredBy: hostile, solved: false });
    const expected = tagsOf(liveReportHtml(resultsOf([run("a", "b", { solved: false })])));

    const page = liveReportHtml(resultsOf([bad], hostile), { [hostile]: hostile });

    const names = (all: typeof expected) => new Set(all.flatMap((tag) => [tag.name, ...tag.attributes.keys()]));
    expect(names(tagsOf(page))).toEqual(names(expected));
    expect(page).not.toMatch(/[^\P{C}\n]/u);
  });

  it("can be made of no runs", () => {
    const page = liveReportHtml(resultsOf([]));

    expect(page).toContain("Every run was solved.");
    expect(page).not.toMatch(/NaN|Infinity|undefined/);
  });
});
