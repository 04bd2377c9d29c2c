// Verifies: T12, data never becomes query or document text: what the writer writes, another reader reads as it was.
import { parseEDNString } from "edn-data";
import { expect, it } from "vitest";
import { type EdnInput, readEdn, writeEdn } from "../src/index.ts";
import { createRandom, hostileTexts, type Random, randomText, repeated } from "./support/random.ts";

const count = 100_000;
const plain = { mapAs: "object", keywordAs: "string", listAs: "array", setAs: "set" } as const;

const title = "hostile strings come back from an independent reader";
it(title, () => {
  let different = 0;

  repeated(title, count, (seed, run) => {
    const text = hostileString(createRandom(seed + run));

    const written = writeEdn(text);

    if (parseEDNString(written, plain) !== text || readEdn(written) !== text) different += 1;
  });

  expect(different).toBe(0);
});

const documents = "hostile documents come back from an independent reader";
it(documents, () => {
  repeated(documents, count / 20, (seed, run) => {
    const document = hostileValue(createRandom(seed + run), 4);

    const written = writeEdn(document);

    expect(parseEDNString(written, plain)).toEqual(document);
    expect(readEdn(written)).toEqual(document);
  });
});

const foreign = "the reader reads arrays that JSON writes, which are EDN as well";
it(foreign, () => {
  repeated(foreign, count / 5, (seed, run) => {
    const random = createRandom(seed + run);
    const value = random.some(6, () => (random.chance(0.7) ? hostileString(random) : [random.below(99), 0.5, true]));

    expect(readEdn(JSON.stringify(value))).toEqual(value);
  });
});

const special = [
  '"',
  "\\",
  "\\\\",
  '\\"',
  "\n",
  "\r",
  "\0",
  "#_",
  "#=(",
  ";",
  "\u2028",
  "\u0085",
  "}",
  ")",
  "]",
  " :xt/fn ",
];

function hostileString(random: Random): string {
  const parts = random.some(6, () =>
    random.chance(0.5) ? random.pick(special) : random.chance(0.5) ? random.pick(hostileTexts) : randomText(random),
  );
  return parts.join("");
}

function hostileValue(random: Random, depth: number): EdnInput {
  const kind = random.below(depth > 0 ? 8 : 5);
  if (kind === 0) return hostileString(random);
  if (kind === 1) return random.chance(0.5);
  if (kind === 2) return null;
  if (kind === 3) return random.below(2_000_000) - 1_000_000;
  if (kind === 4) return random.below(1_000_000) / 1_024 + 0.5;
  if (kind === 5) return random.some(5, () => hostileValue(random, depth - 1));
  return Object.fromEntries(random.some(5, () => [random.pick(keys), hostileValue(random, depth - 1)]));
}

const keys = ["a", "b-c", "d.e/f", "xt/id", "xt/fn", "G_1", "constructor", "toString"];
