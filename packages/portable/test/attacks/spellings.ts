import { createHash } from "node:crypto";
import { bodyOf, firstSum } from "../../src/format/line-text.ts";
import type { BundleLine } from "../../src/format/lines.ts";
import { type AnyLine, summed } from "../support/lines.ts";
import { type Attack, first, type Material } from "./attack.ts";

/** Other ways to write the same line, and lines that are none. What a parser forgives, two readers read differently. */
export function spellingAttacks({ bytes, lines }: Material): readonly Attack[] {
  const respelled = (title: string, spell: (body: string) => string | undefined): Attack => ({
    title,
    code: "bundle/not-canonical",
    bytes: () => {
      const all: (AnyLine | string)[] = lines();
      const place = first(lines(), "file");
      const { sum: _sum, ...line } = lines()[place] ?? {};
      all[place] = spell(bodyOf(line as BundleLine)) ?? "";
      return summed(all);
    },
  });
  const text = bytes.toString();
  const asBytes = (title: string, code: string, made: () => string): Attack => ({
    title,
    code,
    bytes: () => Buffer.from(made()),
  });
  return [
    respelled("a key twice", (body) => body.replace("{", '{"at":1,')),
    respelled("a document's key twice", (body) => body.replace('"document":{', '"document":{"content":"x",')),
    respelled("a space", (body) => body.replace(":", ": ")),
    respelled("a tab before the line", (body) => `\t${body}`),
    respelled("a carriage return", (body) => body.replace(",", ",\r")),
    respelled("keys in another order", (body) =>
      body.replace(/^\{("at":\d+),/, "{").replace(/$/, ',"at":1704067200000'),
    ),
    respelled("an unneeded escape", (body) => body.replace("filesystem", "\\u0066ilesystem")),
    respelled("an escaped slash", (body) => body.replace('"path":"/', '"path":"\\/')),
    respelled("a number with a fraction of nothing", (body) => body.replace(/^\{"at":(\d+)/, '{"at":$1.0')),
    respelled("a number with an exponent", (body) => body.replace(/^\{"at":(\d+)/, '{"at":$1e0')),
    respelled("a byte order mark in the line", (body) => `\ufeff${body}`),
    respelled("single quotes", (body) => body.replaceAll('"', "'")),
    respelled("a comma too many", (body) => body.replace("{", "{,")),
    respelled("a comment", (body) => `/* */${body}`),
    respelled("NaN", (body) => body.replace(/"char_count":\d+/, '"char_count":NaN')),
    respelled("half of a surrogate pair", (body) => body.replace("/a.ts", "\\ud800")),
    respelled("an open bracket", (body) => body.replace("{", "{[")),
    respelled("two objects in one line", (body) => `${body}}${body}`),
    asBytes("an empty file", "bundle/truncated", () => ""),
    asBytes("an empty line", "bundle/unknown-format", () => "\n"),
    asBytes("a word", "bundle/truncated", () => "bundle"),
    asBytes("null", "bundle/unknown-format", () => "null\n"),
    asBytes("another kind of file", "bundle/unknown-format", () => "PK\u0003\u0004../../evil\n"),
    asBytes("lines that end in CR LF", "bundle/bad-digest", () => text.replaceAll("\n", "\r\n")),
    asBytes("a line behind the trailer", "bundle/bad-digest", () => `${text}{}\n`),
    asBytes("an empty line behind the trailer", "bundle/bad-digest", () => `${text}\n`),
    asBytes("bytes behind the trailer", "bundle/truncated", () => `${text}{}`),
    asBytes("no end of the last line", "bundle/truncated", () => text.trimEnd()),
    asBytes("no trailer", "bundle/truncated", () => `${text.trimEnd().split("\n").slice(0, -1).join("\n")}\n`),
    asBytes("itself twice", "bundle/bad-digest", () => text + text),
    { title: "UTF-16", code: "bundle/unknown-format", bytes: () => Buffer.from(text, "utf16le") },
    asBytes("a byte order mark", "bundle/bad-digest", () => `\ufeff${text}`),
    { title: "bytes that are no UTF-8", code: "bundle/not-canonical", bytes: () => invalidUtf8(lines()) },
  ];
}

/** A body in which one byte is replaced by half a character, summed as it is. */
function invalidUtf8(lines: readonly AnyLine[]): Buffer {
  const { sum: _sum, ...header } = lines[0] ?? {};
  const body = Buffer.from(bodyOf(header as BundleLine).replace('"session":"s"', '"session":"?"'));
  body[body.indexOf("?")] = 0xc3;
  return summedBytes(body);
}

function summedBytes(body: Buffer): Buffer {
  const sum = createHash("sha256").update(firstSum).update(body).digest("hex");
  return Buffer.concat([body, Buffer.from(`,"sum":"${sum}"}\n`)]);
}
