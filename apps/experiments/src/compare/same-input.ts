import { CmError, canonicalJson } from "@cm/object-model";
import type { ReadResults } from "@cm/replay";
import { visibleLine } from "@cm/terminal-text";
import { limits } from "../report/limits.ts";

type Meta = ReadResults["meta"];

/**
 * Figures of other recordings, prices or heads say nothing about each other.
 * @throws CmError `compare/different`; its message names what differs, and how
 */
export function refuseDifferent(before: Meta, after: Meta): void {
  const reason =
    recordingsDiffer(before, after) ??
    pricesDiffer(before, after) ??
    differ("the cache's lifetime", before.lifetime, after.lifetime) ??
    differ("the fixed head in characters", before.headChars, after.headChars) ??
    differ("active path only", before.activePath, after.activePath);
  if (reason !== undefined)
    throw new CmError("compare/different", `The two replays cannot be compared: ${reason}; replay both alike.`);
}

function recordingsDiffer(before: Meta, after: Meta): string | undefined {
  const name = ({ file, sha256 }: Meta["recordings"][number]) => `${printable(file)} (${sha256.slice(0, 8)})`;
  const only = (here: Meta, there: Meta) => {
    const hashes = new Set(there.recordings.map(({ sha256 }) => sha256));
    return here.recordings.filter(({ sha256 }) => !hashes.has(sha256)).map(name);
  };
  const sides = [
    ["before", only(before, after)],
    ["after", only(after, before)],
  ] as const;
  const named = sides.filter(([, files]) => files.length > 0).map(([side, files]) => `only ${side}: ${some(files)}`);
  if (named.length > 0) return `recordings differ, ${named.join(", ")}`;
  return differ("the number of recordings", before.recordings.length, after.recordings.length);
}

function pricesDiffer(before: Meta, after: Meta): string | undefined {
  const told = ({ prices }: Meta) =>
    prices.map(({ name, prices: { read, write, ...rest } }) => {
      const others = Object.keys(rest).length === 0 ? "" : ` ${canonicalJson(rest)}`;
      return `${printable(name)} (${read}/${write}${others})`;
    });
  return differ("prices", told(before).sort().join(", "), told(after).sort().join(", "));
}

function differ<T extends string | number | boolean>(what: string, before: T, after: T): string | undefined {
  return before === after ? undefined : `${what} differ, ${before} before and ${after} after`;
}

/** The first few of many different names are enough. */
const listedMax = 5;

function some(names: readonly string[]): string {
  const more = names.length - listedMax;
  return `${names.slice(0, listedMax).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}

/** Names come from files of others and go to a terminal. */
const printable = (name: string): string => visibleLine(name, limits.nameCharsMax);
