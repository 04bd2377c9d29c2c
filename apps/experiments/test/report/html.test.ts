// @module-tag long
import { describe, expect, it } from "vitest";
import { reportHtml } from "../../src/report/html.ts";
import { hostile, hostileRuns } from "./support/hostile-runs.ts";
import { withLives } from "./support/synthetic-lives.ts";
import { syntheticRuns } from "./support/synthetic-runs.ts";
import { tagsOf } from "./support/tags.ts";

const meta = { command: "npm start -- replay a.jsonl", createdAt: "2026-11-22T05:00:00.000Z", version: "0.1.0" };

const origins = (text: string) => ({
  recordings: [{ name: text, sha256: text }],
  inputs: [{ name: text, sha256: text }],
});

/** How many points the drawn lines have; each `L` goes to the next. */
const pointsOf = (page: string): number[] =>
  [...page.matchAll(/<path [^>]*d="(M[^"]*L[^"]*)"/g)].map(([, path = ""]) => path.split("L").length);

describe("the report", () => {
  it("has the same bytes for the same runs", async () => {
    const first = await reportHtml(syntheticRuns({ calls: 50 }), meta);
    const second = await reportHtml(syntheticRuns({ calls: 50 }), meta);

    expect(second).toBe(first);
  });

  it("is well-formed and refers to places in itself only, each of which exists once", async () => {
    const runs = withLives([...syntheticRuns({ calls: 90 }), ...syntheticRuns({ file: "b.jsonl", calls: 20 })]);

    const page = await reportHtml(runs, meta);

    const tags = tagsOf(page);
    const ids = tags.flatMap(({ attributes }) => attributes.get("id") ?? []);
    const links = tags.flatMap(({ attributes }) =>
      ["src", "href", "xlink:href", "action", "data"].flatMap((name) => attributes.get(name) ?? []),
    );
    expect(new Set(ids).size).toBe(ids.length);
    expect(links.map((link) => link.replace(/^#/, "")).filter((link) => !ids.includes(link))).toEqual([]);
    expect(tags.filter(({ name }) => ["script", "img", "link", "iframe", "object", "use"].includes(name))).toEqual([]);
    expect(page).not.toMatch(/https?:|url\(|@import/);
  });

  it("escapes every text from outside", async () => {
    const expected = tagsOf(await reportHtml(withLives(syntheticRuns({ calls: 60 })), { ...meta, ...origins("a") }));

    const page = await reportHtml(hostileRuns(), {
      ...{ command: hostile, createdAt: hostile, version: hostile, model: hostile },
      ...origins(hostile),
    });

    const tags = tagsOf(page);
    const names = (all: typeof tags) => new Set(all.map(({ name }) => name));
    const attributes = (all: typeof tags) => new Set(all.flatMap((tag) => [...tag.attributes.keys()]));
    expect(names(tags)).toEqual(
      names([...expected, { name: "br", attributes: new Map() }, { name: "strong", attributes: new Map() }]),
    );
    expect(attributes(tags)).toEqual(attributes(expected));
    expect(page).not.toMatch(/[^\P{C}\n]/u);
    expect(page).toContain("&lt;script&gt;alert(1)&lt;/script&gt;&quot;&#39; onload=");
    expect(page).toContain("\\u{202e}gnp.exe");
  });

  it("is small for a large session", async () => {
    const page = await reportHtml(syntheticRuns(), meta);

    expect(page.length).toBeLessThan(160_000);
  });

  it("stays small with the lives of thousands of parts, and says how they were gathered", async () => {
    const page = await reportHtml(withLives(syntheticRuns({ calls: 2_000, policies: ["log"] })), meta);

    const bands = page.match(/<label class="band/g) ?? [];
    expect(page.length).toBeLessThan(250_000);
    expect(bands.length).toBeLessThanOrEqual(140);
    expect(page).toContain(
      `5,999 parts, each as high as it is long. Thin neighbours share one of ${bands.length} bands`,
    );
    expect(page).toContain("Each column is the last of 7 calls.");
  });

  it("draws at most 400 points of a line and says what a point is", async () => {
    const page = await reportHtml(syntheticRuns({ calls: 2_000 }), meta);

    expect(Math.max(...pointsOf(page))).toBeLessThanOrEqual(400);
    expect(page).toContain("Each point is the largest of 5 calls.");
    expect(page).toContain("Each point is the sum after 5 more calls.");
    expect(page).toContain("Each point is the largest request of 12 calls.");
  });

  it("draws every call of a shorter session", async () => {
    const page = await reportHtml(syntheticRuns({ calls: 100 }), meta);

    expect(pointsOf(page)).toContain(100);
    expect(page).not.toContain("Each point");
  });

  it("says which line leaves the plot of bills, where, and how high it ends", async () => {
    const page = await reportHtml(syntheticRuns({ calls: 100 }), meta);

    expect(page).toMatch(/ssot leaves the plot at call \d+ and ends at [\d,]+\./);
    expect(page).not.toContain("log leaves the plot");
  });

  it("draws plain where it was not replayed", async () => {
    const page = await reportHtml(syntheticRuns({ calls: 100, policies: ["log"] }), meta);

    expect(page).toMatch(/aria-label="Context size per call in characters\. log: .* plain: largest /);
  });

  it("lists 50 folds and counts the rest, with the reasons of all", async () => {
    const folding = syntheticRuns({ calls: 100, policies: ["log"] }).map((run) => ({
      ...run,
      calls: run.calls.map((call) => ({ ...call, fold: { cut: 3, reason: call.call < 10 ? "cold" : "rent" } })),
    }));

    const page = await reportHtml(folding, meta);

    expect(page).toContain('100 folds <span class="quiet">(rent 90, cold 10)</span>');
    expect(page).toContain("<p>50 more folds</p>");
    expect(page.match(/<td>(rent|cold)<\/td>/g)).toHaveLength(50);
  });

  it("says where a layout decides no folds and yet breaks the prefix", async () => {
    const page = await reportHtml(syntheticRuns({ calls: 20 }), meta);

    expect(page).toContain("but 100.0 of 100 requests do not begin with the whole request before");
    expect(page.match(/No folds\.<\/p>/g)).toHaveLength(2);
  });

  it("says a warning once for all policies that met it, and counts those beyond 50", async () => {
    const warned = syntheticRuns({ calls: 3 }).map((run) => ({
      ...run,
      warnings: Array.from({ length: 60 }, (_, at) => `line ${at} is bad`),
    }));

    const page = await reportHtml(warned, meta);

    expect(page.match(/line \d+ is bad/g)).toHaveLength(50);
    expect(page).toContain("plain, ssot, log</span>");
    expect(page).toContain("10 more warnings");
  });

  it("has plots of 40 sessions and names the others in the table", async () => {
    const runs = Array.from({ length: 42 }, (_, at) =>
      syntheticRuns({ calls: 1, file: `${at}.jsonl`, policies: ["plain"] }),
    );

    const page = await reportHtml(runs.flat(), meta);

    expect(tagsOf(page).filter(({ name }) => name === "h2")).toHaveLength(44);
    expect(page).toContain("2 more sessions without plots");
    expect(page).toContain(">41.jsonl<");
  });

  it("can be made of one call, of none and of no runs", async () => {
    const [run] = syntheticRuns({ calls: 1 });
    const none = run === undefined ? [] : [{ ...run, calls: [] }];

    const pages = await Promise.all([syntheticRuns({ calls: 1 }), none, []].map((runs) => reportHtml(runs, meta)));

    for (const page of pages) expect(tagsOf(page).length).toBeGreaterThan(0);
    expect(pages[0]).toContain("Too short for plots.");
    expect(pages.join()).not.toMatch(/NaN|Infinity|undefined/);
  });
});
