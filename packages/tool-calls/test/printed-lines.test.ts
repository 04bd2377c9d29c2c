import { describe, expect, it } from "vitest";
import { printedLines } from "../src/printed-lines.ts";
import { printedText } from "../src/printed-text.ts";

const lines = (count: number) => "x\n".repeat(count);

describe("the lines of a file that a command printed", () => {
  it.each<[string, number, string | undefined]>([
    ["sed -n '10,40p' a.ts", 31, "10-40"],
    ["sed -n '10,40p' a.ts", 6, "10-15"],
    ["sed -n 10,40p a.ts | head -20", 20, "10-29"],
    ["sed -n '10,$p' a.ts", 6, "10-15"],
    ["sed -n '7p' a.ts", 1, "7-7"],
    ["cd /w && nl -ba a.ts | sed -n '35,140p'", 106, "35-140"],
    ["cat -n a.ts | tail -n +5 | head -n 3", 3, "5-7"],
    ["head -n 50 a.ts", 50, "1-50"],
    ["head a.ts 2>/dev/null", 10, "1-10"],
    ["tail -n +20 a.ts", 4, "20-23"],
    // The file ended before: it is whole.
    ["sed -n '1,220p' a.ts", 59, undefined],
    ["cat a.ts", 9, undefined],
    ["tail -30 a.ts", 30, undefined],
    ["sed -n '1,5p;9p' a.ts", 6, undefined],
    ["cat -s a.ts | sed -n '4,5p'", 2, undefined],
    ["cat a.ts | head -c 40", 2, undefined],
    ["sed -n '1,5p' a.ts; sed -n '1,5p' b.ts", 10, undefined],
    ["sed -n '900,950p' a.ts", 0, undefined],
  ])("%s, %i lines", (command, count, expected) => {
    const found = printedLines({ command }, lines(count));
    expect(found && `${found.from}-${found.to}`).toBe(expected);
  });

  it("are not sure where the harness left some out", () => {
    const asked = { cmd: "sed -n '10,40p' a.ts" };

    expect(printedLines(asked, `Total output lines: 31\n\n${lines(20)}`)).toBeUndefined();
    expect(printedLines(asked, `Exit code: 0\nTotal output lines: 31\nOutput:\n${lines(20)}`)).toBeUndefined();
    expect(printedLines(asked, `${lines(20)}[output truncated]`)).toBeUndefined();
    // Pi keeps the end of what a command prints.
    const pi = `${lines(20)}\n[Showing lines 12-31 of 31 (50.0KB limit). Full output: /tmp/pi-bash-1.log]`;
    expect(printedLines(asked, pi)).toBeUndefined();
  });
});

describe("the lines in a window of SWE-agent", () => {
  it.each([
    ["(1456 more lines above)\r\n1457:a\r\n1458:\r\n1459:b\r\n(441 more lines below)", { from: 1457, to: 1459 }],
    ["1:a\r\n2:b", { from: 1, to: 2 }],
    ["", undefined],
  ])("%j", (shown, expected) => {
    expect(printedLines({ path: "a.py" }, `[File: a.py (1997 lines total)]\r\n${shown}`)).toEqual(expected);
  });
});

describe("the lines that opencode shows", () => {
  const opened = "<path>/w/a.ts</path>\n<type>file</type>\n<content>";

  it.each([
    // Its first versions count the offset from 0.
    [{ offset: 9, limit: 2 }, "<file>\n00010| a\n00011| b\n\n(File has more lines. …)\n</file>", { from: 10, to: 11 }],
    [{ offset: 10 }, `${opened}\n10: a\n11: b\n\n(End of file - total 11 lines)\n</content>`, { from: 10, to: 11 }],
    [{ limit: 2 }, `${opened}1: a\n2: b\n\n(Showing lines 1-2 of 9. Use offset=3 …)\n</content>`, { from: 1, to: 2 }],
    [{}, `${opened}1: a\n2: b\n\n(End of file - total 2 lines)\n</content>`, undefined],
    [{ offset: 4 }, "4: a\n5: b", undefined],
  ])("%o", (args, shown, expected) => {
    expect(printedLines({ filePath: "a.ts", ...args }, shown)).toEqual(expected);
  });
});

describe("the lines above which Pi says that the file goes on", () => {
  it.each([
    [{}, "[Showing lines 1-2 of 9. Use offset=3 to continue.]", { from: 1, to: 2 }],
    [{ offset: 5 }, "[Showing lines 5-6 of 9 (50.0KB limit). Use offset=7 to continue.]", { from: 5, to: 6 }],
    [{ offset: 5, limit: 2 }, "[3 more lines in file. Use offset=7 to continue.]", { from: 5, to: 6 }],
    [{ limit: 2 }, "[7 more lines in file. Use offset=3 to continue.]", { from: 1, to: 2 }],
    [{}, "[3 more lines in file. Use offset=7 to continue.]", { from: 5, to: 6 }],
    [{}, "[3 more lines in file. Use offset=2 to continue.]", undefined],
    [{ offset: 5 }, "[0 more lines in file. Use offset=3 to continue.]", undefined],
    [{ offset: 5 }, "Use offset=7 to continue.", undefined],
  ])("%o %s", (args, note, expected) => {
    expect(printedLines({ path: "a.ts", ...args }, `a\nb\n\n${note}`)).toEqual(expected);
  });
});

describe("what a command printed", () => {
  it.each([
    ["Chunk ID: 1a\nWall time: 0.1 seconds\nProcess exited with code 0\nOriginal token count: 1\nOutput:\na\n", "a\n"],
    ["Exit code: 0\nWall time: 0 seconds\nOutput:\nSuccess.", "Success."],
    ["Wall time: 0 seconds\nOutput:", ""],
    ["Output:\na", "Output:\na"],
    ["a\nExit code: 0\nOutput:\nb", "a\nExit code: 0\nOutput:\nb"],
  ])("%j", (text, expected) => {
    expect(printedText(text)).toBe(expected);
  });
});
