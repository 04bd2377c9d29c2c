import { createMemoryStore, isCmError, parseDocument } from "@cm/object-model";
import { describe, expect, it } from "vitest";
import { createRandom, plannedSeeds, randomDocument, randomJson, randomText, reservedNames } from "../src/index.ts";

describe("random choices", () => {
  it("are the same for the same seed, on every machine", () => {
    const random = createRandom(7);

    expect([random.below(1_000), random.below(1_000), random.below(1_000)]).toEqual([11, 61, 976]);
    expect(randomJson(createRandom(7))).toEqual(randomJson(createRandom(7)));
  });

  it("reach every value below the bound and none beyond", () => {
    const random = createRandom(1);

    const drawn = Array.from({ length: 1_000 }, () => random.below(7));

    expect([...new Set(drawn)].sort()).toEqual([0, 1, 2, 3, 4, 5, 6]);
  });

  it("make well-formed texts, reserved names among them", () => {
    const random = createRandom(2);

    const texts = Array.from({ length: 5_000 }, () => randomText(random));

    expect(texts.filter((text) => !text.isWellFormed())).toEqual([]);
    expect(texts).toEqual(expect.arrayContaining([...reservedNames]));
  });
});

describe("random documents", () => {
  it("are valid, and come back from the memory store as they went in", async () => {
    for (const seed of plannedSeeds({ runs: 40 })) {
      const random = createRandom(seed);
      const documents = Array.from({ length: 50 }, () => randomDocument(random));
      const latest = new Map(documents.map((document) => [document["xt/id"], document]));
      const store = createMemoryStore();

      for (const document of documents) await store.commit([{ document, expect: "any" }]);

      const found = await store.getMany([...latest.keys()]);
      for (const [id, document] of latest) {
        expect(parseDocument(JSON.parse(JSON.stringify(found.get(id)?.document)))).toEqual(document);
      }
    }
  });

  it("are refused by every store once a letter of theirs is changed", async () => {
    const store = createMemoryStore();
    const random = createRandom(3);

    for (let n = 0; n < 500; n += 1) {
      const document = { ...randomDocument(random), content: `changed ${n}` };

      const error: unknown = await store.commit([{ document, expect: "any" }]).catch((e) => e);

      expect(isCmError(error, "store/invalid-document")).toBe(true);
    }
  });
});
