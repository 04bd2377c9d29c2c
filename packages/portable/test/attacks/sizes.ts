import { gzipSync } from "node:zlib";
import { limits } from "../../src/index.ts";
import { type AnyLine, summed } from "../support/lines.ts";
import { type Attack, first, type Material } from "./attack.ts";

/** Too deep, too long, too many, and gzip data that expands without end. */
export function sizeAttacks({ bytes, lines }: Material): readonly Attack[] {
  const nested = (depth: number, open: string, close: string): Attack => ({
    title: `${depth} times ${open}`,
    code: "bundle/limit",
    bytes: () => {
      const all: (AnyLine | string)[] = lines();
      all[1] = `{"at":1,"document":{"args":${open.repeat(depth)}${close.repeat(depth)}},"kind":"version"`;
      return summed(all);
    },
  });
  const gzip = gzipSync(bytes);
  const bomb = (title: string, made: () => Buffer): Attack => ({ title, code: "bundle/limit", bytes: made });
  return [
    nested(200, "[", "]"),
    nested(200, '{"a":', "}"),
    nested(1_000_000, "[", ""),
    nested(1_000_000, '{"a":', ""),
    nested(100_000, '[{"a":', ""),
    {
      title: "more values than a document may have",
      code: "bundle/limit",
      bytes: () => summed([...lines().slice(0, 1), `{"document":[${"0,".repeat(2 * limits.lineValuesMax)}0]`]),
    },
    {
      title: "some more values than a document may have",
      code: "bundle/limit",
      bytes: () =>
        summed([...lines().slice(0, 1), `{"at":1,"document":{"a":[${"0,".repeat(600_000)}0]},"kind":"version"`]),
    },
    {
      title: "more empty arrays than memory would hold",
      code: "bundle/limit",
      bytes: () => summed([...lines().slice(0, 1), `{"document":[${"[],".repeat(3_000_000)}0]`]),
    },
    {
      title: "a line without an end",
      code: "bundle/limit",
      bytes: () => Buffer.alloc(limits.lineBytesMax + 1, "x"),
    },
    ...(process.env.CM_CAMPAIGN === "1" ? [manyLines(lines)] : []),
    bomb("gzip data of 100 MB of nothing", () => gzipSync(Buffer.alloc(100_000_000))),
    bomb("gzip data of a line of 30 MB", () => gzipSync(Buffer.alloc(30_000_000, "a"))),
    bomb("many small pieces of gzip data that are large together", () => {
      const one = gzipSync(Buffer.alloc(1_000_000, "a"));
      return Buffer.concat(Array.from({ length: 50 }, () => one));
    }),
    ...[2, 3, 9, 10, 11, 50, 500, gzip.length - 9, gzip.length - 8, gzip.length - 4, gzip.length - 1].map(
      (length): Attack => ({
        title: `gzip data cut after ${length} bytes`,
        code: "bundle/bad-compression",
        bytes: () => gzip.subarray(0, length),
      }),
    ),
    ...[2, 3, 12, gzip.length - 8, gzip.length - 4].map(
      (place): Attack => ({
        title: `gzip data with another byte at ${place}`,
        code: "bundle/bad-compression",
        bytes: () => Buffer.concat([gzip.subarray(0, place), Buffer.from([0xff]), gzip.subarray(place + 1)]),
      }),
    ),
    {
      title: "gzip data in gzip data",
      code: "bundle/unknown-format",
      bytes: () => Buffer.concat([gzipSync(Buffer.concat([gzip, Buffer.from("\n")]))]),
    },
    {
      title: "an attachment of one byte that says it has many",
      code: "bundle/invalid-document",
      bytes: () => {
        const all = lines();
        const place = first(all, "attachment");
        all[place] = { ...all[place], document: { ...all[place]?.document, byte_count: 1e9 } };
        return summed(all);
      },
    },
  ];
}

/** A quarter of a million lines take their time. */
function manyLines(lines: Material["lines"]): Attack {
  return {
    title: "more lines than a bundle has",
    code: "bundle/limit",
    bytes: () => {
      const erased = Array.from({ length: limits.linesMax }, (_, n) => ({
        id: `${n}`,
        kind: "erased",
        of: "toolcall",
      }));
      return summed([lines()[0] ?? {}, ...erased]);
    },
  };
}
