// @module-tag browser
// @module-tag long
import { existsSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { type Browser, chromium, type Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { requirement } from "../../../../tools/requirement.ts";
import { reportHtml } from "../../src/report/html.ts";
import { hostileRuns } from "./support/hostile-runs.ts";
import { withLives } from "./support/synthetic-lives.ts";
import { syntheticRuns } from "./support/synthetic-runs.ts";

const executablePath = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find(existsSync);
const withChromium = requirement("Chromium", () => executablePath !== undefined);

const meta = { command: "npm start -- replay a.jsonl", createdAt: "2026-11-22T05:00:00.000Z", version: "0.1.0" };
const runs = withLives([...syntheticRuns(), ...syntheticRuns({ file: "b.jsonl", calls: 61 })]).map((run) => ({
  ...run,
  warnings: ["3 lines are not readable and left out."],
}));

withChromium("the report in a browser without network", () => {
  let folder: string;
  let browser: Browser;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "cm-report-"));
    browser = await chromium.launch(executablePath === undefined ? {} : { executablePath });
    await writeFile(join(folder, "report.html"), await reportHtml(runs, meta));
    await writeFile(join(folder, "hostile.html"), await reportHtml(hostileRuns(), meta));
  });

  afterAll(async () => {
    await browser.close();
    await rm(folder, { recursive: true });
  });

  async function open(name: string, options: { width: number; colorScheme: "light" | "dark" }) {
    const { width, colorScheme } = options;
    const context = await browser.newContext({ offline: true, viewport: { width, height: 900 }, colorScheme });
    const page = await context.newPage();
    const faults: string[] = [];
    page.on("pageerror", (error) => faults.push(error.message));
    page.on("console", (message) => faults.push(message.text()));
    page.on("dialog", (dialog) => faults.push(dialog.message()));
    page.on("request", (request) => {
      if (request.url() !== pathToFileURL(join(folder, name)).href) faults.push(request.url());
    });
    await page.goto(pathToFileURL(join(folder, name)).href);
    return { page, faults };
  }

  const screens = [
    { width: 1200, colorScheme: "light" },
    { width: 400, colorScheme: "dark" },
    { width: 1200, colorScheme: "dark" },
    { width: 400, colorScheme: "light" },
  ] as const;
  // Each width and each scheme once; all pairs in a campaign.
  it.each(process.env.CM_CAMPAIGN === "1" ? screens : screens.slice(0, 2))(
    "shows every section at $width pixels in $colorScheme",
    async ({ width, colorScheme }) => {
      const { page, faults } = await open("report.html", { width, colorScheme });

      const parts = "h1, h2, h3, h4, svg, .map, table.results, table.workings, dl, footer pre";
      const visible: boolean[] = await page.evaluate(
        `[...document.querySelectorAll("${parts}")].map((part) => part.checkVisibility() && part.getBoundingClientRect().height > 0)`,
      );
      expect(visible.length).toBeGreaterThan(30);
      expect(visible).not.toContain(false);
      expect(await page.locator("h2").allInnerTexts()).toEqual([
        "By agent",
        "Session by session",
        "Warnings",
        "pi-large-session.jsonl",
        "b.jsonl",
        "What the figures mean",
        "Where the figures come from",
      ]);
      expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(width);
      expect(faults).toEqual([]);
      await page.screenshot({ path: join(folder, `${width}-${colorScheme}.png`), fullPage: true });
    },
  );

  it("has a dark ground and other colours in the dark, in drawings too", async () => {
    const colours = async (page: Page) => [
      await page.evaluate("getComputedStyle(document.body).backgroundColor"),
      await page.evaluate("getComputedStyle(document.querySelector('svg text')).fill"),
      await page.evaluate("getComputedStyle(document.querySelector('svg .mark-line path')).stroke"),
    ];

    const light = await colours((await open("report.html", { width: 1200, colorScheme: "light" })).page);
    const dark = await colours((await open("report.html", { width: 1200, colorScheme: "dark" })).page);

    expect(light).toEqual(["rgb(255, 255, 255)", "rgb(89, 99, 110)", "rgb(0, 114, 178)"]);
    expect(dark).toEqual(["rgb(21, 24, 28)", "rgb(154, 164, 175)", "rgb(88, 169, 220)"]);
  });

  it("prints on light paper with its lists open", async () => {
    const { page } = await open("report.html", { width: 700, colorScheme: "dark" });

    await page.emulateMedia({ media: "print" });

    expect(await page.evaluate("getComputedStyle(document.documentElement).getPropertyValue('--page')")).toBe("#fff");
    expect(await page.locator("table.folds tbody tr").first().isVisible()).toBe(true);
  });

  it("names its drawings and regions for those who do not see them", async () => {
    const { page } = await open("report.html", { width: 1200, colorScheme: "light" });

    expect(
      await page
        .getByRole("img", { name: /^Context size per call in characters\. ssot: largest 494,274, last / })
        .count(),
    ).toBe(1);
    expect(await page.getByRole("img").count()).toBe(13);
    expect(await page.getByRole("region", { name: "Results" }).getByRole("columnheader").count()).toBe(14);
  });

  it("tells the life of a part that is pointed at, and of the next one at an arrow key", async () => {
    const { page } = await open("report.html", { width: 1200, colorScheme: "light" });
    const map = page.getByRole("radiogroup", { name: "What was in view under log, part by part" }).first();
    const shown = map.locator(".tip:visible");

    await map.locator("input").nth(6).focus();
    await map.locator("input").nth(6).press("Space");
    const chosen = await shown.textContent();
    await page.keyboard.press("ArrowDown");
    const next = await shown.textContent();
    await map.hover({ position: { x: 300, y: 4 } });
    const pointed = await shown.textContent();

    expect(chosen).toMatch(/characters/);
    expect(new Set([chosen, next, pointed]).size).toBe(3);
  });

  it("runs and loads nothing that a session brought in", async () => {
    const { page, faults } = await open("hostile.html", { width: 1200, colorScheme: "light" });

    expect(await page.locator("script, img, [onload]").count()).toBe(0);
    expect(await page.title()).toBe("Replay report, Context Manager");
    expect(faults).toEqual([]);
  });
});
