import type { Random } from "@cm/testkit";
import { type AnyDocument, type AnyLine, counted, linesIn, resealed, summed } from "./lines.ts";

/** Damage of files, and changes by an attacker who does not compute sums. */
export function damaged(bytes: Buffer, other: Buffer, random: Random): Buffer {
  const place = random.below(bytes.length);
  const length = 1 + random.below(random.chance(0.5) ? 8 : bytes.length);
  const [before, behind] = [bytes.subarray(0, place), bytes.subarray(place)];
  switch (random.below(8)) {
    case 0:
    case 1: {
      const copy = Buffer.from(bytes);
      copy[place] = (copy[place] ?? 0) ^ (1 << random.below(8));
      return copy;
    }
    case 2:
      return Buffer.from(before);
    case 3:
      return Buffer.concat([before, behind.subarray(length)]);
    case 4:
      return Buffer.concat([before, Buffer.from(random.some(9, () => random.below(256))), behind]);
    case 5:
      return Buffer.concat([before, other.subarray(random.below(other.length)).subarray(0, length), behind]);
    default:
      return rearranged(bytes, other, random);
  }
}

function rearranged(bytes: Buffer, other: Buffer, random: Random): Buffer {
  const lines = bytes.toString("latin1").split("\n");
  const [a, b] = [random.below(lines.length), random.below(lines.length)];
  const copy = [...lines];
  switch (random.below(4)) {
    case 0:
      copy.splice(a, 1);
      break;
    case 1:
      copy.splice(a, 0, lines[b] ?? "");
      break;
    case 2:
      [copy[a], copy[b]] = [lines[b] ?? "", lines[a] ?? ""];
      break;
    default:
      copy[a] = random.pick(other.toString("latin1").split("\n"));
  }
  return Buffer.from(copy.join("\n"), "latin1");
}

/**
 * Changes by an attacker who knows the format: lines and fields differ, and all sums are right; often the hashes of the
 * document and the counts are, too. So the checks behind them have to bite.
 */
export function forged(bytes: Buffer, other: Buffer, random: Random): Buffer {
  const lines = linesIn(bytes);
  const others = linesIn(other);
  for (let change = 0; change <= random.below(2); change += 1) forgeOne(lines, others, random);
  try {
    return random.chance(0.7) ? counted(lines) : summed(lines);
  } catch {
    // Canonical JSON cannot express this, so the line has the form that another writer may produce.
    return summed(lines.map((line) => JSON.stringify({ ...line, sum: undefined }).slice(0, -1)));
  }
}

function forgeOne(lines: AnyLine[], others: readonly AnyLine[], random: Random): void {
  const place = random.below(lines.length);
  const line = lines[place];
  switch (random.below(6)) {
    case 0:
      lines.splice(place, 1);
      return;
    case 1:
      lines.splice(random.below(lines.length), 0, { ...random.pick(lines) });
      return;
    case 2:
      lines.splice(random.below(lines.length), 0, random.pick(others));
      return;
    case 3: {
      const to = random.below(lines.length);
      [lines[place], lines[to]] = [lines[to] as AnyLine, line as AnyLine];
      return;
    }
    default:
      if (line !== undefined) lines[place] = withOtherField(line, random);
  }
}

function withOtherField(line: AnyLine, random: Random): AnyLine {
  if (line.document === undefined || random.chance(0.15)) return changed(line, random) as AnyLine;
  const document = changed(line.document, random) as AnyDocument;
  try {
    return { ...line, document: random.chance(0.8) ? { ...resealed(line.document, document) } : document };
  } catch {
    return { ...line, document };
  }
}

const values = [
  null,
  true,
  false,
  0,
  1,
  -1,
  2,
  3,
  1e300,
  "",
  "s",
  "x",
  "step:s:0",
  "chat:s",
  "session:s",
  "constructor",
  "../../etc/passwd",
  "toolcall",
  "lease",
  "a".repeat(64),
  [],
  {},
  [null],
  { session: "s", n: 0 },
  { session: "s", n: 1 },
];

/** The same value with one change somewhere inside. */
function changed(value: unknown, random: Random, depth = 0): unknown {
  if (depth > 0 && random.chance(0.15)) return random.pick(values);
  if (Array.isArray(value) && value.length > 0) {
    const place = random.below(value.length);
    if (random.chance(0.2)) return [...value, value[place]];
    if (random.chance(0.2)) return value.filter((_, at) => at !== place);
    return value.map((one, at) => (at === place ? changed(one, random, depth + 1) : one));
  }
  if (typeof value === "object" && value !== null && Object.keys(value).length > 0) {
    const entries = Object.entries(value);
    const place = random.below(entries.length);
    if (random.chance(0.1)) return Object.fromEntries(entries.filter((_, at) => at !== place));
    if (random.chance(0.05)) return Object.fromEntries([...entries, ["__proto__", { polluted: true }]]);
    return Object.fromEntries(
      entries.map(([key, one], at) => [key, at === place ? changed(one, random, depth + 1) : one]),
    );
  }
  if (typeof value === "number" && random.chance(0.6)) return value + random.pick([1, -1]);
  return random.pick(values);
}
