// Verifies: F12, SSOT 2.2, SSOT 2.4
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { fileTypeOf, type Identity, objectIdOf, parseDocument, sha256 } from "../../src/index.ts";
import { coreTypes, type Material, seal } from "../random/documents.ts";

interface FrozenDocument extends Material {
  readonly id: string;
  readonly identity_hash: string;
  readonly content_hash: string;
}

/** An import would make an object literal of the file, in which a key named `__proto__` is none. */
function read<Entry>(name: string): readonly Entry[] {
  return JSON.parse(readFileSync(new URL(`${name}.json`, import.meta.url), "utf8"));
}

const documents = read<FrozenDocument>("documents");
const identities = read<{ readonly identity: Identity; readonly id: string }>("identities");
const sourceHashes = read<{ readonly bytes: string; readonly sha256: string }>("source-hashes");
const fileTypes = read<{ readonly path: string; readonly file_type: string }>("file-types");
const charCounts = read<{ readonly text: string; readonly char_count: number }>("char-counts");

describe("frozen hashes", () => {
  it("hold for every document: id, identity hash and content hash", () => {
    const now = documents.map((entry) => {
      const document = seal(entry);
      return { id: document["xt/id"], identity_hash: document.identity_hash, content_hash: document.content_hash };
    });

    expect(now).toEqual(documents.map(({ id, identity_hash, content_hash }) => ({ id, identity_hash, content_hash })));
  });

  it("hold for documents that come from outside", () => {
    for (const { identity, payload, id, ...hashes } of documents) {
      const source = "source" in identity ? identity.source : null;

      const document = { "xt/id": id, type: identity.type, source, ...payload, ...hashes };

      expect(parseDocument(document)["xt/id"]).toBe(id);
    }
  });

  it("hold for ids of objects", () => {
    expect(identities.map(({ identity }) => objectIdOf(identity))).toEqual(identities.map(({ id }) => id));
  });

  it("hold for bytes of sources", () => {
    expect(sourceHashes.map(({ bytes }) => sha256(Buffer.from(bytes, "base64")))).toEqual(
      sourceHashes.map((entry) => entry.sha256),
    );
  });

  it("are more than five hundred, over all types of documents", () => {
    const entries = [documents, identities, sourceHashes, fileTypes, charCounts].map((list) => list.length);

    expect(entries.reduce((sum, count) => sum + count)).toBeGreaterThanOrEqual(500);
    expect(new Set(documents.map(({ identity }) => identity.type))).toEqual(new Set(coreTypes));
  });
});

describe("frozen file types", () => {
  it.each(fileTypes)("of $path is $file_type", ({ path, file_type }) => {
    expect(fileTypeOf(path)).toBe(file_type);
  });

  it("are the text after the last dot, in lower case, and empty for dotfiles", () => {
    const typeOf = (path: string) => fileTypes.find((entry) => entry.path === path)?.file_type;

    expect(["/w/A.TS", "/w/archive.tar.gz", "C:\\work\\a.ts", "/w/a.D.TS"].map(typeOf)).toEqual([
      "ts",
      "gz",
      "ts",
      "ts",
    ]);
    expect(["/w/Makefile", "/w/.env", "/w/dir.d/file", "/w/a.", ""].map(typeOf)).toEqual(["", "", "", "", ""]);
  });
});

describe("frozen character counts", () => {
  it("are UTF-16 units", () => {
    const countOf = (text: string) => charCounts.find((entry) => entry.text === text)?.char_count;

    expect(charCounts.map(({ text }) => text.length)).toEqual(charCounts.map(({ char_count }) => char_count));
    expect(["\u{1F600}", "e\u0301", "\u00e9", ""].map(countOf)).toEqual([2, 2, 1, 0]);
  });
});
