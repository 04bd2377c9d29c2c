// Verifies: figures and foreign texts read the same on every machine, and cannot steer a terminal.
import { forSeeds, hostileTexts, randomText } from "@cm/testkit";
import { expect, it } from "vitest";
import {
  bytesText,
  counted,
  countText,
  durationText,
  isoText,
  momentText,
  visibleClause,
  visibleLine,
  visiblePath,
  visibleText,
} from "../src/index.ts";

it.each([
  [countText(0), "0"],
  [countText(999), "999"],
  [countText(1_204), "1,204"],
  [countText(1_234_567), "1,234,567"],
  [counted(1, "step"), "1 step"],
  [counted(1_000, "step"), "1,000 steps"],
  [bytesText(0), "0 B"],
  [bytesText(1_023), "1023 B"],
  [bytesText(1_268_777), "1.21 MiB"],
  [bytesText(1_010 * 1024), "1010 KiB"],
  [bytesText(1024 ** 5), "1024 TiB"],
  [momentText(0), "1970-01-01 00:00:00Z"],
  [momentText(Number.NaN), ""],
  [counted(2, "entry", "entries"), "2 entries"],
  [momentText(undefined), ""],
  [momentText(new Date(1_999)), "1970-01-01 00:00:01Z"],
  [isoText(1_999), "1970-01-01T00:00:01.999Z"],
  [durationText(999), "less than a second"],
  [durationText(61_000), "1 minute 1 second"],
  [durationText(3 * 365 * 86_400_000 + 40 * 86_400_000), "3 years 40 days"],
  [visibleClause("The disk is full.", 80), "The disk is full"],
  [visiblePath("/a/long/path/file.ts", 7), "…file.ts"],
])("says %j", (said, expected) => {
  expect(said).toBe(expected);
});

it("shows every text as lines that steer nothing", async () => {
  await forSeeds({ short: 200, long: 20_000, file: "test/figures.test.ts" }, (random) => {
    const text = random.chance(0.5) ? randomText(random) : random.pick(hostileTexts);

    expect(visibleLine(text, 80)).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u);
    expect(visiblePath(text, 80)).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u);
    expect(visibleText(text).replace(/[\n\t]/g, "")).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u);
  });
});
