// Verifies: figures and foreign texts read the same on every machine, and cannot steer a terminal.
import { forSeeds, hostileTexts, randomText } from "@cm/testkit";
import { expect, it } from "vitest";
import {
  bytesText,
  counted,
  countText,
  dollarsText,
  momentText,
  percentText,
  tokenCountText,
  tokensText,
} from "../../src/text/figures.ts";
import { visibleLine, visiblePath, visibleText } from "../../src/text/visible-line.ts";

it.each([
  [countText(0), "0"],
  [countText(999), "999"],
  [countText(1_204), "1,204"],
  [countText(1_234_567), "1,234,567"],
  [counted(1, "step"), "1 step"],
  [counted(1_000, "step"), "1,000 steps"],
  [tokensText(3_998), "1.0k"],
  [tokensText(3_996), "999"],
  [tokensText(399_796), "99.9k"],
  [tokensText(399_800), "100k"],
  [tokensText(3_997_996), "999k"],
  [tokensText(3_998_000), "1.0M"],
  [tokenCountText(12_440.4), "12.4k"],
  [dollarsText(0), "$0.000"],
  [dollarsText(-1), "$0.000"],
  [dollarsText(0.0004), "less than $0.001"],
  [dollarsText(0.0424), "$0.042"],
  [dollarsText(0.9994), "$0.999"],
  [dollarsText(0.9996), "$1.00"],
  [dollarsText(1.996), "$2.00"],
  [dollarsText(1_234.5), "$1,234.50"],
  [percentText(58, 100), "58%"],
  [percentText(1, 0), undefined],
  [bytesText(0), "0 B"],
  [bytesText(1_023), "1023 B"],
  [bytesText(1_268_777), "1.21 MiB"],
  [bytesText(1_010 * 1024), "1010 KiB"],
  [bytesText(1024 ** 5), "1024 TiB"],
  [momentText(0), "1970-01-01 00:00:00Z"],
  [momentText(Number.NaN), ""],
])("says %j", (said, expected) => {
  expect(said).toBe(expected);
});

it("shows every text as lines that steer nothing", async () => {
  await forSeeds({ short: 200, long: 20_000, file: "test/text/figures.test.ts" }, (random) => {
    const text = random.chance(0.5) ? randomText(random) : random.pick(hostileTexts);

    expect(visibleLine(text, 80)).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u);
    expect(visiblePath(text, 80)).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u);
    expect(visibleText(text).replace(/[\n\t]/g, "")).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u);
  });
});
