// Verifies: figures read the same on every machine.

import { expect, it } from "vitest";
import { dollarsText, percentText, tokenCountText, tokensText } from "../../src/text/figures.ts";

it.each([
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
])("says %j", (said, expected) => {
  expect(said).toBe(expected);
});
