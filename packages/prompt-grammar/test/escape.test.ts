import { describe, expect, it } from "vitest";
import { escapeForeign, escapeText, unescapeForeign, unescapeText } from "../src/escape.ts";

// Verifies: T1

/** The line breaks begin a line of their own. */
const lineBreak = /[\n\r\u2028\u2029\u0085\v\f]/;
const unseen = /\p{Default_Ignorable_Code_Point}|\p{C}|\p{Z}|\p{Mn}|\p{Me}|\u2800/u;

describe("escaping", () => {
  it.each([
    ["ACTIVE_CONTENT id=f1", "\\ACTIVE_CONTENT id=f1"],
    ["a\nACTIVE_CONTENT id=f1", "a\n\\ACTIVE_CONTENT id=f1"],
    ["a\rtoolcall_ref id=t1", "a\r\\toolcall_ref id=t1"],
    ["a\u2028\\toolcall_ref id=t1", "a\u2028\\\\toolcall_ref id=t1"],
    ["\u200b ACTIVE_CONTENT", "\u200b \\ACTIVE_CONTENT"],
    ["id=f1 type=file path=a", "\\id=f1 type=file path=a"],
    ['id="f 1" type=toolcall', '\\id="f 1" type=toolcall'],
  ])("puts a backslash before what begins like a line of ours: %j", (text, expected) => {
    expect(escapeText(text)).toBe(expected);
    expect(unescapeText(expected)).toBe(text);
  });

  it.each([
    "say ACTIVE_CONTENT id=f1",
    "ACTIVE_CONTENTS",
    "toolcall_refused",
    '  id="name" type="file"',
    "id = 3",
    "type=file",
    "\\n ACTIVE",
    "",
  ])("leaves other text alone: %j", (text) => {
    expect(escapeText(text)).toBe(text);
  });

  it("sees a beginning behind every character that is ignorable, a control, blank or combines with nothing", () => {
    const hidden: number[] = [];
    let tried = 0;
    for (let code = 0; code <= 0x10ffff; code++) {
      const mark = String.fromCodePoint(code);
      if (!unseen.test(mark) || lineBreak.test(mark)) continue;
      // Most code points are nothing yet, or private: of those, some.
      if (/[\p{Cn}\p{Co}]/u.test(mark) && !/\p{Default_Ignorable_Code_Point}/u.test(mark) && code % 97 > 0) continue;
      tried += 1;
      if (!isEscapedBehind(mark)) hidden.push(code);
    }

    expect(hidden).toEqual([]);
    expect(tried).toBeGreaterThan(6_000);
  });

  it.each([
    "\u001b[31m",
    "\u001b[1;38;5;200m\u001b[2K",
    "\u009b0m",
    "\ufe0f\u3164\u2800 \u001b[0m\t",
    "\udc00",
    "\u0301 \u20dd\ufe0f",
  ])("sees a beginning behind a colour, a move or several marks: %j", (marks) => {
    expect(isEscapedBehind(marks)).toBe(true);
    expect(escapeText(`id=f1${marks}`)).toBe(`\\id=f1${marks}`);
  });

  it.each(["\u001b[", " ", "\u3164", "\ufe0f\n", "\u0301", "\u001b[1;", "\\", "\n"])(
    "takes no more than its share of the work for more text, whatever stands before a beginning: %j",
    (mark) => {
      const spent = (chars: number) => {
        const marks = mark.repeat(chars / mark.length);
        const times = Array.from({ length: 3 }, () => {
          const start = process.cpuUsage();
          escapeText(`${marks}ACTIVE_CONTENTS`);
          escapeForeign(`${marks}[cm`);
          escapeForeign(`${marks}.[cm:`);
          const { user, system } = process.cpuUsage(start);
          return user + system;
        });
        return Math.max(1_000, Math.min(...times));
      };

      expect(spent(1 << 20) / spent(1 << 18)).toBeLessThan(16);
    },
  );
});

/** Under both layouts, and back. */
function isEscapedBehind(marks: string): boolean {
  const ssot = escapeText(`a\n${marks}ACTIVE_CONTENT id=f1`);
  const log = escapeForeign(`a\n${marks}[cm: it]`);
  return (
    ssot === `a\n${marks}\\ACTIVE_CONTENT id=f1` &&
    unescapeText(ssot) === `a\n${marks}ACTIVE_CONTENT id=f1` &&
    log === `a\n${marks}\\[cm: it]` &&
    unescapeForeign(log) === `a\n${marks}[cm: it]`
  );
}
