import { describe, expect, it } from "vitest";
import { type JsonLine, jsonLines, limits, readJournal } from "../src/index.ts";
import { bytesOf, header, jsonl, user } from "./session-text.ts";

async function linesOf(text: string | Uint8Array, size?: number): Promise<readonly JsonLine[]> {
  const lines: JsonLine[] = [];
  for await (const line of jsonLines(bytesOf(text, size))) lines.push(line);
  return lines;
}

describe("lines", () => {
  it("are the same wherever the bytes are cut", async () => {
    const text = jsonl({ a: "ä€😀" }, { b: "\u2028" });

    const whole = await linesOf(text, 1000);

    for (let size = 1; size < 12; size += 1) expect(await linesOf(text, size)).toEqual(whole);
    expect(whole.map((line) => line.value)).toEqual([{ a: "ä€😀" }, { b: "\u2028" }]);
  });

  it("tolerate a byte order mark, CRLF, blank lines and a missing last line break", async () => {
    const lines = await linesOf('\uFEFF{"a":1}\r\n\r\n  \n{"b":2}');

    expect(lines).toEqual([
      { number: 1, value: { a: 1 } },
      { number: 4, value: { b: 2 } },
    ]);
  });

  it("that are no JSON object are named with their reason", async () => {
    const deep = `${"[".repeat(100_000)}${"]".repeat(100_000)}`;
    const garbage = Buffer.from([0x00, 0xff, 0xfe, 0x80, 0x0a]);
    const text = Buffer.concat([garbage, Buffer.from(`null\n[1]\n42\n{"a":${deep}}\n{"cut":"of`)]);

    const lines = await linesOf(text, 4096);

    expect(lines.map(({ number, bad }) => `${number} ${bad}`)).toEqual([
      "1 not-json",
      "2 not-an-object",
      "3 not-an-object",
      "4 not-an-object",
      "5 too-deep",
      "6 not-json",
    ]);
  });

  it("may nest as deep as the limit and no deeper", async () => {
    const nested = (depth: number) => `${'{"a":'.repeat(depth - 1)}{}${"}".repeat(depth - 1)}`;

    const lines = await linesOf(`${nested(limits.jsonDepthMax)}\n${nested(limits.jsonDepthMax + 1)}\n`);

    expect(lines.map(({ bad }) => bad)).toEqual([undefined, "too-deep"]);
  });

  it("turn bytes that are no UTF-8 into replacement characters", async () => {
    const lines = await linesOf(Buffer.concat([Buffer.from('{"a":"'), Buffer.from([0xff]), Buffer.from('"}\n')]));

    expect(lines).toEqual([{ number: 1, value: { a: "\uFFFD" } }]);
  });

  it("over the bound are an error that names line and bound", async () => {
    const text = jsonl(header, user("a", null, "x".repeat(2000)));

    const reading = readJournal(bytesOf(text), { lineBytesMax: 1024 });

    await expect(reading).rejects.toMatchObject({
      code: "journal/line-too-long",
      data: { line: 2, bytesMax: 1024 },
      message: expect.stringContaining("Line 2"),
    });
  });

  it("of exactly the bound are read, without counting the line break", async () => {
    const line = JSON.stringify(header);

    const journal = await readJournal(bytesOf(`${line}\n`), { lineBytesMax: line.length });

    expect(journal.header.id).toBe("s-1");
    await expect(readJournal(bytesOf(line), { lineBytesMax: line.length - 1 })).rejects.toMatchObject({
      code: "journal/line-too-long",
    });
  });

  it("over the bound are given up before the rest of them is read", async () => {
    let given = 0;
    async function* endless(): AsyncGenerator<Uint8Array> {
      for (;;) {
        given += 1;
        yield Buffer.alloc(1024 * 1024, "x");
      }
    }

    await expect(readJournal(endless())).rejects.toMatchObject({ data: { bytesMax: limits.lineBytesMax } });

    expect(given).toBe(33);
  });

  it("bound can be lowered but not raised", async () => {
    const endless = async function* () {
      for (;;) yield Buffer.alloc(1024 * 1024, "x");
    };

    const reading = readJournal(endless(), { lineBytesMax: Number.MAX_SAFE_INTEGER });

    await expect(reading).rejects.toMatchObject({ data: { bytesMax: limits.lineBytesMax } });
  });
});
