// Verifies: reliability T1
import { describe, expect, it } from "vitest";
import { escapeText, unescapeText } from "../../src/blocks/escape.ts";

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
});
