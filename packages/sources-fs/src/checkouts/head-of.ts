import { join } from "node:path";
import { type Checkout, defined } from "@cm/object-model";
import { checkoutLimits as limits } from "../limits.ts";
import { readBounded } from "../rules/rule-file.ts";

const commitPattern = /^([0-9a-f]{40}|[0-9a-f]{64})$/;

/**
 * Branch and commit of a work tree, from git's own files: starting git before each step would cost more than the step.
 * Other storage (the ref tables of `reftable`) is omitted, not guessed.
 */
export function headOf(own: string, common: string): Pick<Checkout, "branch" | "commit"> {
  const head = lineIn(join(own, "HEAD"));
  if (head === undefined) return {};
  if (commitPattern.test(head)) return { commit: head };
  const ref = /^ref: (refs\/\S+)$/.exec(head)?.[1];
  if (ref === undefined || ref.split("/").includes("..") || ref.endsWith("/.invalid")) return {};
  const commit = commitOf(ref, own, common);
  const branch = ref.startsWith("refs/heads/")
    ? ref.slice("refs/heads/".length, "refs/heads/".length + limits.nameCharsMax)
    : undefined;
  return { ...defined({ branch, commit }) };
}

/** A loose ref counts before a packed one. Refs of one work tree alone stand in its own folder. */
function commitOf(ref: string, own: string, common: string): string | undefined {
  const loose = [join(own, ref), join(common, ref)].map(lineIn).find((line) => commitPattern.test(line ?? ""));
  return loose ?? packedCommit(ref, common);
}

function packedCommit(ref: string, common: string): string | undefined {
  const packed = readBounded(join(common, "packed-refs"), limits.packedRefsBytesMax);
  const end = packed?.indexOf(` ${ref}\n`) ?? -1;
  if (packed === undefined || end < 0) return undefined;
  const commit = packed.slice(packed.lastIndexOf("\n", end - 1) + 1, end);
  return commitPattern.test(commit) ? commit : undefined;
}

function lineIn(path: string): string | undefined {
  return readBounded(path, limits.gitFileBytesMax)?.trim();
}
