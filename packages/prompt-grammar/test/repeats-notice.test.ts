// Verifies: a text that is nothing but our lines, or ends where we cut it, is told from every other.
import { expect, it } from "vitest";
import { cutArgumentMark, noticeLine, repeatsNotice } from "../src/index.ts";

const folded = noticeLine({ kind: "left-out", id: "t4", size: { lines: 480 }, file: "m3.ts" });
const cut = "const a = 1;\nconst b [cm: 3,900 characters left out; cm_context show t4.input]";

it.each<readonly [string, object]>([
  [folded, { as: "notice", name: "t4" }],
  [`\n  ${folded}\n${folded}\n\n`, { as: "notice", name: "t4" }],
  [`\\${folded}`, { as: "notice", name: "t4" }],
  ["[cm: something else]", { as: "notice" }],
  [cut, { as: "cut", name: "t4.input" }],
  [`${cut}\n`, { as: "cut", name: "t4.input" }],
  ["const a = [cm: 1 character left out; cm_context show t4.input]", { as: "cut", name: "t4.input" }],
  ["the start\n[cm: 80 more characters left out, and what keeps them cannot be reached now]", { as: "cut" }],
  [`${"x".repeat(1_000_000)}${cut}`, { as: "cut", name: "t4.input" }],
])("%.60s repeats a notice", (text, expected) => {
  expect(repeatsNotice(text)).toEqual(expected);
});

it.each([1, 3_900])("knows the mark that we write behind a cut argument, of %i characters", (chars) => {
  const written = `const a = 1;${cutArgumentMark(chars, "t4.input")}`;

  expect(repeatsNotice(written)).toEqual({ as: "cut", name: "t4.input" });
});

it("knows the line that we write at a cut", () => {
  const line = noticeLine({ kind: "cut", chars: 3_900, id: "t4" });

  expect(repeatsNotice(`the start\n${line}`)).toEqual({ as: "cut", name: "t4" });
});

it.each([
  "",
  "\n",
  "const a = 1;",
  `A file that speaks of notices:\n${folded}`,
  `${cut}\nand goes on`,
  "[cm: not closed",
  "[other: bracket]",
])("%j does not", (text) => {
  expect(repeatsNotice(text)).toBeUndefined();
});
