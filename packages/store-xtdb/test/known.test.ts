// Verifies: what a store remembers of its database is bounded, forgets what is oldest, and says what it was told.
import { sha256 } from "@cm/object-model";
import { describe, expect, it } from "vitest";
import { KnownRevisions } from "../src/known-revisions.ts";
import { KnownTexts } from "../src/known-texts.ts";
import { storeLimits } from "../src/limits.ts";
import { Names } from "../src/names.ts";
import { revisionWithErasureMark, writtenRevision } from "../src/revision.ts";
import { freshRandom, type TokenFacts, tokenText } from "../src/version-token.ts";

const { textsKnownMax, revisionsKnownMax } = storeLimits;
const digests = Array.from({ length: 3 * textsKnownMax }, (_, n) => sha256(`text ${n}`));

describe("known texts", () => {
  it("are at least the newest ones, and no more than twice as many", () => {
    const texts = new KnownTexts();

    for (const digest of digests) texts.stored(digest);
    const known = digests.map((digest) => texts.isStored(digest));

    expect(known.slice(-textsKnownMax)).not.toContain(false);
    expect(known.slice(0, -2 * textsKnownMax)).not.toContain(true);
    expect(texts.isStored(sha256("never stored"))).toBe(false);
  });

  it("stay known as long as they are met", () => {
    const texts = new KnownTexts();
    const met = sha256("met again");
    texts.stored(met);

    for (const [place, digest] of digests.entries()) {
      texts.stored(digest);
      if (place % (textsKnownMax / 2) === 0) texts.isStored(met);
    }

    expect(texts.isStored(met)).toBe(true);
  });

  it("are gone once they are said to be, whatever is said of them then", () => {
    const texts = new KnownTexts();
    const [gone = "", other = ""] = digests;
    texts.stored(gone);
    texts.stored(other);

    texts.gone(gone);
    texts.stored(gone);

    expect([texts.isStored(gone), texts.isStored(other)]).toEqual([false, true]);
  });
});

describe("known revisions", () => {
  const names = new Names("known");
  const facts: TokenFacts = {
    ...{ random: freshRandom(), n: 7, contentHash: sha256("content"), sourceTag: "", validMs: -5, atMs: undefined },
    ...{ isLatest: true, isInValidTimeOrder: false, afterErasure: true },
  };
  const written = writtenRevision(names, "call", "toolcall", tokenText(facts), facts);

  it("are what they were, of writes and of erasures", () => {
    const known = new KnownRevisions(names);
    const erasure = { reason: "not needed", erasure: "erasure-1", lost: [1, 2], atMs: 9 };
    const erased = revisionWithErasureMark(written, erasure);

    known.set("call", written);
    known.set("erased", erased);

    expect(known.get("call")).toEqual(written);
    expect(known.get("erased")).toEqual(erased);
    expect(known.get("another")).toBeUndefined();
  });

  it("are the newest ones", () => {
    const known = new KnownRevisions(names);

    for (let n = 0; n <= revisionsKnownMax; n += 1) known.set(`call-${n}`, written);

    expect(known.get("call-0")).toBeUndefined();
    expect(known.get(`call-${revisionsKnownMax}`)).toBeDefined();
  });
});
