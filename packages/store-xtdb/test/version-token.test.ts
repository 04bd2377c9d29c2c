// Verifies: a token says all that its write is matched by, and nothing else is taken for one.
import { sha256 } from "@cm/object-model";
import { expect, it } from "vitest";
import { freshRandom, readToken, sourceTagOf, type TokenFacts, tokenText } from "../src/version-token.ts";
import { createRandom, type Random, runSeed } from "./support/random.ts";

const title = "reads back what it was made of";

it(title, () => {
  const { seed, replay } = runSeed(title);
  const random = createRandom(seed);

  for (let n = 0; n < 1_000; n += 1) {
    const facts = randomFacts(random);

    expect(readToken(tokenText(facts)), replay).toEqual(facts);
    // XTDB writes longer strings twice.
    expect(tokenText(facts).length, replay).toBeLessThanOrEqual(224);
  }
});

it("takes no other text for a token", () => {
  const token = tokenText(randomFacts(createRandom(1)));
  const others = ["", "v1", token.slice(1), `${token}x`, `x${token}`, token.toUpperCase(), token.replace(".", ":")];

  expect(others.map(readToken)).toEqual(others.map(() => undefined));
});

it("never draws the same twice", () => {
  const drawn = new Set(Array.from({ length: 5_000 }, freshRandom));

  expect(drawn.size).toBe(5_000);
});

function randomFacts(random: Random): TokenFacts {
  const ms = () => (random.chance(0.5) ? undefined : random.below(2 ** 31) * (random.chance(0.5) ? 1 : -1) * 4_000);
  return {
    random: freshRandom(),
    n: 1 + random.below(2 ** 31),
    contentHash: sha256(`${random.below(1_000)}`),
    sourceTag: sourceTagOf(random.chance(0.5) ? undefined : "etag"),
    validMs: ms(),
    atMs: ms(),
    isLatest: random.chance(0.5),
    isInValidTimeOrder: random.chance(0.5),
    afterErasure: random.chance(0.5),
  };
}
