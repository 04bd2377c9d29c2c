// Verifies: what a result brings back is counted apart from its own text, whatever that looks like.
import { expect, it } from "vitest";
import { recalledChars } from "../../src/measure/recalled-chars.ts";

const own = "1 passed\n\\[cm: brought back here: what a file says]";
const first = "\n[cm: brought back here: output of read a.ts, 1 line (t1)]\nconst a = 1;";
const resumed = "\n[cm: found when this session was resumed:]\n[cm: b.ts (f2) changed: 1 line added, 0 removed]";
const second = "\n[cm: brought back here: file b.ts, 2 lines (f2)]\none\ntwo";

it("counts each text with the line above it", () => {
  const message = { id: "4~full~recalled@5~resumed@6~recalled@7", text: `${own}${first}${resumed}${second}` };

  expect([...recalledChars(message)]).toEqual([
    [5, first.length],
    [7, second.length],
  ]);
});

it("counts nothing where nothing was brought back", () => {
  expect(recalledChars({ id: "4", text: own }).size).toBe(0);
  expect(recalledChars({ id: "4~full~resumed@6", text: `${own}${resumed}` }).size).toBe(0);
});
