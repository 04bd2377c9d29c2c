import type { RunResult } from "@cm/replay";
import { describe, expect, it } from "vitest";
import { reportHtml } from "../../src/report/html.ts";
import { placeLabels } from "../../src/report/page/chart-labels.ts";
import { policySummaries } from "../../src/report/policy-summary.ts";
import { withLives } from "./support/synthetic-lives.ts";
import { syntheticRuns } from "./support/synthetic-runs.ts";

const meta = { command: "npm start -- replay a.jsonl", createdAt: "2026-11-22T05:00:00.000Z", version: "0.1.0" };

/** A run of the log policy as if another policy had made it, at another price. */
function runAs(policy: string, billedShare: number): RunResult {
  const [run] = withLives(syntheticRuns({ calls: 120, policies: ["log"] }));
  if (run === undefined) throw new Error("no run");
  return { ...run, policy, totals: { ...run.totals, billedShare, billed: billedShare * run.totals.plainBilled } };
}

const text = (page: string): string => page.replace(/<[^>]*>/g, "").replace(/\s+/g, " ");

describe("what the report says in words", () => {
  it("begins with what was billed and met, and how far that is from the clairvoyant and the cheapest opponent", async () => {
    const runs = [runAs("log", 0.58), runAs("mask-10", 0.9), runAs("clear-100k", 0.7), runAs("clairvoyant", 0.37)];

    const page = text(await reportHtml(runs, meta));

    expect(page).toContain(
      "log billed 58.0 % of the agent alone; 184 of 185 needed texts in view, 236 of 240 cited names.",
    );
    expect(page).toContain("21.0 points above clairvoyant, which knows the texts and names that later calls need.");
    expect(page).toContain("12.0 points below clear-100k, the cheapest opponent (184 of 185 needed texts in view)");
    expect(page).not.toContain("below mask-10");
  });

  it("draws each policy once in the chart and names those beyond its edge", async () => {
    const page = await reportHtml([runAs("log", 0.58), runAs("ssot", 5.8)], meta);

    const chart = page.slice(page.indexOf('<figure class="share-chart">'));
    expect(chart.slice(0, chart.indexOf("</svg>")).match(/class="label"/g)).toHaveLength(2);
    expect(text(chart)).toContain("At the right edge, further away than drawn: ssot 580.0 %.");
  });

  it("tells of a missed text which part had held it, and when and why that left; and what came back", async () => {
    const page = text(await reportHtml([runAs("log", 0.58)], meta));

    expect(page).toContain("1 needed text out of view of 185");
    expect(page).toMatch(/const limit = 400; ?output of \w+ \S+( test)? ?call \d+, reference ?no sign of need/);
    expect(page).toMatch(/object(s)? brought back fault service/);
    expect(page).toContain("an edit needs it");
  });

  it("says where figures come from: model, recordings and inputs with hashes, policies in a sentence", async () => {
    const page = text(
      await reportHtml([runAs("log", 0.58)], {
        ...meta,
        recordings: [{ name: "a.jsonl", sha256: "ab".repeat(32) }],
        inputs: [{ name: "system-prompt.md", sha256: "cd".repeat(32) }],
        policies: { log: "The context log." },
      }),
    );

    expect(page).toContain("none: replay of a recording");
    expect(page).toContain(`a.jsonl ${"ab".repeat(32)}`);
    expect(page).toContain(`system-prompt.md ${"cd".repeat(32)}`);
    expect(page).toContain("The context log. Layout log.");
  });
});

describe("the figures of each agent", () => {
  const measured = (file: string, family: string, billed: number): RunResult => {
    const run = runAs("log", billed);
    const measures = { union: 200, unionMet: 190, copied: 50, copiedMet: 45, missedFiles: 1 };
    const cutOff = { cutOffShare: billed + 0.1, cutOffCalls: 31 };
    return { ...run, file, family, totals: { ...run.totals, ...measures, ...cutOff } };
  };
  const runs = [
    measured("a.jsonl", "claude-code", 0.5),
    measured("b.jsonl", "claude-code", 0.7),
    measured("c.jsonl", "swe-agent", 0.9),
  ];

  it("stand apart, with the mean, the worst session, intervals and missed files, and then all together", async () => {
    const page = text(await reportHtml(runs, meta));

    const table = page.slice(page.indexOf("By agent"), page.indexOf("Session by session"));
    expect(table).toMatch(
      /Claude Code 2 sessions log 60\.0 ?50\.0–70\.0 ?60\.0 ?50\.0–70\.0 ?70\.0 ?session 2 ?80\.0 ?after 31 calls/,
    );
    expect(table).toMatch(/SWE-agent 1 session log 90\.0 ?90\.0 ?90\.0 ?session 3/);
    expect(table).toMatch(/All agents 3 sessions log 70\.0/);
    expect(table).toMatch(/99\.5 ?3 ?3 files, 3 sessions ?95\.0 ?98\.3/);
  });

  it("are left out of the page of one session, whose row has the measures", async () => {
    const page = text(await reportHtml(runs.slice(0, 1), meta));

    expect(page).not.toContain("By agent");
    expect(page).toMatch(/184\/185 ?1 in 1 ?95\.0 ?98\.3 ?[\d.]+ ?90\.0/);
  });
});

describe("figures over several sessions", () => {
  it("leave out what some of the sessions were not counted for", () => {
    const counted = runAs("log", 0.5);
    const { cited, citedMet, citedInLine, ...totals } = counted.totals;

    const [both] = policySummaries([counted, { ...counted, file: "b.jsonl", totals }]);
    const [one] = policySummaries([counted]);

    expect(both?.cited).toBeUndefined();
    expect(one?.cited).toBe(240);
    expect(both?.needed).toBe(370);
  });
});

describe("labels of a chart", () => {
  it("stand within it and cover neither points nor each other", () => {
    const points = [
      { x: 200, y: 50, columns: 8 },
      { x: 201, y: 52, columns: 12 },
      { x: 200, y: 60, columns: 5 },
      { x: 470, y: 55, columns: 14 },
    ];

    const labels = placeLabels(points, points, { columnPx: 7, left: 0, right: 500, top: 0 });

    const boxes = labels.map(({ x, y, anchor }, at) => {
      const width = (points[at]?.columns ?? 0) * 7;
      const left = anchor === "start" ? x : x - width;
      return { left, right: left + width, top: y - 10, bottom: y };
    });
    const apart = (a: (typeof boxes)[number], b: (typeof boxes)[number]) =>
      a.right <= b.left || b.right <= a.left || a.bottom <= b.top || b.bottom <= a.top;
    expect(boxes.every((a, at) => boxes.every((b, other) => at === other || apart(a, b)))).toBe(true);
    expect(boxes.every(({ left, right }) => left >= 0 && right <= 500)).toBe(true);
    expect(
      boxes.some(({ left, right, top, bottom }) =>
        points.some(({ x, y }) => x > left && x < right && y > top && y < bottom),
      ),
    ).toBe(false);
  });
});
