import { isCmError, type ObjectStore } from "@cm/object-model";
import { bundleError } from "../errors.ts";
import { bodyOf, closed, firstSum, sumOf } from "../format/line-text.ts";
import {
  type BundleLine,
  bundleFormat,
  type CarriedType,
  countVersion,
  noCounts,
  type Unsummed,
} from "../format/lines.ts";
import { limits } from "../limits.ts";
import { fileLines } from "./file-lines.ts";
import { findSteps } from "./found-steps.ts";
import { gzipped } from "./gzipped.ts";
import { journalLines } from "./journal-lines.ts";
import { lineOf, objectLines } from "./object-lines.ts";
import { readHeads } from "./read-heads.ts";
import { stepLines } from "./step-lines.ts";

export interface ExportOptions {
  /** Whether the bytes are gzip data. Default: plain text. */
  readonly gzip?: boolean;
  /** The size of the plain form; default 256 MiB, the default limit of readers. */
  readonly bytesMax?: number;
}

/**
 * A session with all that it refers to, as the bytes of one file: read through the contract alone, at one moment, and
 * a few objects at a time. What was erased is left out and marked; the lease stays behind.
 * @throws CmError `model/invalid-id`, `bundle/not-found`, `bundle/erased-step`, `bundle/damaged-session`,
 * `bundle/limit`, or what the store throws
 */
export async function* exportBundle(
  store: ObjectStore,
  session: string,
  { gzip = false, bytesMax = limits.bundleBytesMax }: ExportOptions = {},
): AsyncGenerator<Uint8Array> {
  const text = writtenLines(linesOf(store, session), bytesMax);
  if (gzip) yield* gzipped(text);
  else yield* text;
}

type WrittenLine = Exclude<Unsummed<BundleLine>, { readonly kind: "trailer" }>;

async function* linesOf(store: ObjectStore, name: string): AsyncGenerator<WrittenLine> {
  const heads = await readHeads(store, name);
  const { session, basis, versions } = heads;
  const scope = await findSteps(store, heads);
  yield { format: bundleFormat, kind: "header", session, steps: scope.steps.size };
  yield* objectLines(store, { ids: scope.toolcalls, of: "toolcall", basis }, scope.attachments);
  yield* objectLines(store, { ids: scope.attachments, of: "attachment", basis });
  yield* fileLines(store, scope, basis);
  yield* stepLines(store, scope, heads);
  yield* journalLines(store, session, basis);
  yield lineOf(versions.chat);
  yield lineOf(versions.session);
}

/** Lines with their sums, and the trailer that counts them. */
async function* writtenLines(lines: AsyncIterable<WrittenLine>, bytesMax: number): AsyncGenerator<Buffer> {
  const counts = noCounts();
  let [sum, bytes, number] = [firstSum, 0, 0];
  const written = (line: Unsummed<BundleLine>) => {
    const body = bodyWithin(line);
    sum = sumOf(sum, body);
    const text = Buffer.from(`${closed(body, sum)}\n`);
    number += 1;
    bytes += text.length;
    checkBounds(text.length, number, { bytes, bytesMax });
    return text;
  };
  for await (const line of lines) {
    if (line.kind === "erased") counts.erased += 1;
    else if (line.kind === "version") countVersion(counts, line.document.type as CarriedType);
    yield written(line);
  }
  yield written({ bytes, counts, kind: "trailer" });
}

/** A document at its bounds is as large with a line around it as without. */
function bodyWithin(line: Unsummed<BundleLine>): string {
  try {
    return bodyOf(line);
  } catch (error) {
    if (!isCmError(error, "model/limit")) throw error;
    throw bundleError("bundle/limit", "A document of the session is too large for a line.", error.data);
  }
}

function checkBounds(
  lineBytes: number,
  number: number,
  { bytes, bytesMax }: { readonly bytes: number; readonly bytesMax: number },
): void {
  const { lineBytesMax, linesMax } = limits;
  if (lineBytes > lineBytesMax) throw tooLarge("lineBytesMax", lineBytesMax);
  if (number > linesMax) throw tooLarge("linesMax", linesMax);
  if (bytes > bytesMax) throw tooLarge("bundleBytesMax", bytesMax);
}

function tooLarge(limit: string, bound: number) {
  return bundleError(
    "bundle/limit",
    `The session does not fit into a bundle (${limit}: ${bound}); what was written so far is none.`,
    { limit, bound },
  );
}
