import { CmError } from "@cm/object-model";
import { badLine, bundleError } from "../errors.ts";
import { bodyOf, closed, firstSum, opened, sumOf } from "../format/line-text.ts";
import { type BundleLine, bundleFormat, bundleLine } from "../format/lines.ts";
import { limits } from "../limits.ts";
import { expanded } from "./expanded.ts";
import { type RawLine, rawLines } from "./raw-lines.ts";
import { passedBound } from "./shape.ts";

/** Gives the bytes of a bundle, each time from its start. */
export type OpenBundle = () => AsyncIterable<Uint8Array>;

export interface ReadLimits {
  /** The size of the expanded bundle; default 256 MiB. */
  readonly bytesMax?: number;
}

/** A line that is what was written, at its place. Its document has not been looked at. */
export interface CheckedLine {
  readonly number: number;
  readonly line: BundleLine;
  /** With its end. */
  readonly byteCount: number;
}

/**
 * The lines of a bundle, each checked by itself: length, digest, encoding, depth, the one way to write it, its fields.
 * At most one line is held.
 * @throws CmError `bundle/...`
 */
export async function* checkedLines(open: OpenBundle, { bytesMax }: ReadLimits = {}): AsyncGenerator<CheckedLine> {
  let sum = firstSum;
  for await (const raw of rawLines(expanded(open(), bytesMax ?? limits.bundleBytesMax))) {
    sum = checkSum(raw, sum);
    yield { number: raw.number, line: parseLine(raw), byteCount: raw.bytes.length + 1 };
  }
}

function checkSum({ number, bytes }: RawLine, before: string): string {
  const parts = opened(bytes);
  if (parts !== undefined && sumOf(before, parts.body) === parts.sum) return parts.sum;
  if (number === 1) checkFormat(bytes);
  throw badLine("bundle/bad-digest", number, "it is not what was written, or stands in another place");
}

const marker = Buffer.from(`"format":"${bundleFormat}"`);

function checkFormat(bytes: Buffer): void {
  if (bytes.includes(marker)) return;
  throw bundleError("bundle/unknown-format", `This is no bundle of format ${bundleFormat}; check which file it is.`, {
    line: 1,
    reason: "another format",
  });
}

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

function parseLine({ number, bytes }: RawLine): BundleLine {
  const limit = passedBound(bytes);
  if (limit !== undefined) {
    throw badLine("bundle/limit", number, `it passes ${limit} (${limits[limit]})`, { limit, bound: limits[limit] });
  }
  const { text, value } = decoded(number, bytes);
  if (number === 1) checkFormat(bytes);
  const result = bundleLine.safeParse(value);
  if (!result.success) {
    const fields = [...new Set(result.error.issues.map(({ path }) => path.slice(0, 2).map(String).join(".")))];
    throw badLine("bundle/invalid-line", number, `its fields are wrong: ${fields.join(", ") || "(the line)"}`);
  }
  if (textOf(number, result.data) !== text) throw notCanonical(number);
  return result.data;
}

function decoded(number: number, bytes: Buffer): { readonly text: string; readonly value: unknown } {
  try {
    const text = decoder.decode(bytes);
    return { text, value: JSON.parse(text) };
  } catch (error) {
    // The causes quote the text.
    if (error instanceof TypeError || error instanceof SyntaxError) throw notCanonical(number);
    throw error;
  }
}

function textOf(number: number, line: BundleLine): string {
  try {
    const { sum, ...rest } = line;
    return closed(bodyOf(rest as BundleLine), sum);
  } catch (error) {
    if (!(error instanceof CmError)) throw error;
    if (error.code === "model/limit") {
      throw badLine("bundle/limit", number, "a document passes a bound", error.data);
    }
    throw notCanonical(number);
  }
}

function notCanonical(number: number) {
  return badLine("bundle/not-canonical", number, "it is not canonical JSON in UTF-8");
}
