// @module-tag long
// Verifies: the worked store and source that people start from hold every law.
import { describe, it } from "vitest";
import { createMapSource, type PageBinding } from "../examples/map-source.ts";
import { createMapStore } from "../examples/map-store.ts";
import { objectStoreSuite, type SourceFactory, sourceSuite } from "../src/index.ts";

describe("the store over a map fulfils object-store/1", () => {
  for (const { id, clause, title, run } of objectStoreSuite.cases) {
    it(`${id} (${clause}) ${title}`, () => run(async (setting) => createMapStore(setting)));
  }
});

const openWiki: SourceFactory = async () => {
  const pages = new Map<string, Uint8Array>();
  const wiki = { name: "notes", pages: pages as typeof pages | undefined };
  const source = createMapSource(wiki);
  const bind = (path: string): PageBinding => ({ type: "wiki", wiki: wiki.name, path });
  return {
    source,
    world: {
      put: async (page, bytes) => {
        pages.set(page, bytes);
        return bind(page);
      },
      remove: async (page) => void pages.delete(page),
      binding: async (page) => bind(page),
      elsewhere: async () => ({ ...bind("a.txt"), wiki: "another" }),
      unreach: async () => {
        wiki.pages = undefined;
      },
      reach: async () => {
        wiki.pages = pages;
      },
    },
    close: async () => source.close?.(),
  };
};

describe("the source over a map fulfils source/1", () => {
  for (const { id, clause, title, run } of sourceSuite.cases) {
    it(`${id} (${clause}) ${title}`, () => run(openWiki));
  }
});
