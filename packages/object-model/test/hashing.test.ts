// Verifies: SSOT 2.2, F12
import { createHash } from "node:crypto";
import canonicalize from "canonicalize";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import {
  contentDigestOf,
  coreDocumentTypes,
  type DocumentType,
  hashJson,
  parseDocument,
  payloadOf,
  sealDocument,
  sealHashedDocument,
  sha256,
  sourcedIdentityHash,
  unsourcedIdentityHash,
} from "../src/index.ts";
import { randomMaterial, seal } from "./random/documents.ts";
import { forSeeds } from "./random/random.ts";

const digest = (data: string | Uint8Array) => createHash("sha256").update(data).digest("hex");
const source = { type: "filesystem", filesystemId: "fs-1", path: "/w/a.ts" };

describe("source hashes", () => {
  it("are taken over bytes, so that files are told apart that decode to the same text", () => {
    const [one, other] = [Uint8Array.of(0x61, 0xff), Uint8Array.of(0x61, 0xfe)];
    const decode = (bytes: Uint8Array) => new TextDecoder().decode(bytes);

    expect(decode(one)).toBe(decode(other));
    expect(sha256(one)).not.toBe(sha256(other));
  });

  it("of text are those of its UTF-8 bytes", () => {
    expect(sha256("a\u00e9\u{1F600}\u0000")).toBe(sha256(Buffer.from("a\u00e9\u{1F600}\u0000")));
    expect(sha256("")).toBe("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  });
});

describe("identity hashes", () => {
  it("of sourced objects are their ids: type and source, in any order of fields", () => {
    const reordered = { path: "/w/a.ts", type: "filesystem", filesystemId: "fs-1" };

    expect(sourcedIdentityHash("file", source)).toBe(digest(canonicalize({ source, type: "file" }) ?? ""));
    expect(sourcedIdentityHash("file", reordered)).toBe(sourcedIdentityHash("file", source));
  });

  it("of unsourced objects cover the id, so that two of one type differ", () => {
    expect(unsourcedIdentityHash("toolcall", "call_1")).not.toBe(unsourcedIdentityHash("toolcall", "call_2"));
    expect(unsourcedIdentityHash("chat", "x")).not.toBe(unsourcedIdentityHash("session", "x"));
    expect(unsourcedIdentityHash("chat", 'a "b" é')).toBe(hashJson({ type: "chat", id: 'a "b" é' }));
    expect(() => unsourcedIdentityHash("chat", "\ud800")).toThrow(/canonical/i);
  });
});

describe("content hashes", () => {
  it("are those of an independent computation, for random documents of all types", () => {
    forSeeds(1_000, (random) => {
      const document = seal(randomMaterial(random));
      const { source_hash: _source, content, ...fields } = payloadOf(document);

      const record = { ...fields, content: typeof content === "string" ? digest(content) : null };

      expect(document.content_hash).toBe(digest(canonicalize(record) ?? ""));
      expect(contentDigestOf(document)).toBe(record.content);
    });
  });

  it("leave out the source hash and nothing else", () => {
    const payload = { content: "a", file_type: "ts", char_count: 1 };
    const hashOf = (fields: object) =>
      sealDocument({ type: "file", source }, { ...payload, ...fields }, coreDocumentTypes).content_hash;

    expect(hashOf({ source_hash: "etag" })).toBe(hashOf({}));
    expect(hashOf({ file_type: "js" })).not.toBe(hashOf({}));
    expect(hashOf({ char_count: 2 })).not.toBe(hashOf({}));
    expect(hashOf({ redactions: 0 })).not.toBe(hashOf({}));
    expect(hashOf({ content: "b" })).not.toBe(hashOf({}));
  });

  it("tell a text from the hash of that text, and an absent text from an empty one", () => {
    const hashOf = (content: string | null) =>
      sealDocument({ type: "file", source }, { content, file_type: "ts", char_count: 1 }).content_hash;

    expect(hashOf(sha256("a"))).not.toBe(hashOf("a"));
    expect(hashOf(null)).not.toBe(hashOf(""));
  });

  it("leave out where a file was moved from, which is a hint, and keep it in the document", () => {
    const plain = { content: "text", file_type: "ts", char_count: 4 };

    const moved = sealDocument({ type: "file", source }, { ...plain, moved_from: "f".repeat(64) });

    expect(moved.content_hash).toBe(sealDocument({ type: "file", source }, plain).content_hash);
    expect(parseDocument(JSON.parse(JSON.stringify(moved)))).toEqual(moved);
  });

  it("take the digest of a caller that hashed the text before, and a wrong one is refused by every reader", () => {
    const payload = { content: "text", file_type: "ts", char_count: 4 };

    const right = sealHashedDocument({ type: "file", source }, payload, digest("text"));
    const wrong = sealHashedDocument({ type: "file", source }, payload, digest("other"));
    const none = sealHashedDocument({ type: "file", source }, payload, "an ETag");

    expect([right, none]).toEqual(Array(2).fill(sealDocument({ type: "file", source }, payload)));
    expect(() => parseDocument(JSON.parse(JSON.stringify(wrong)))).toThrow(/content_hash/);
  });

  it("cover a field that is added to a schema later, without any other change", () => {
    const base = { role: "infrastructure", sourced: false, acceptsId: () => true } as const;
    const before: DocumentType = { ...base, type: "note", payload: z.strictObject({ content: z.string() }) };
    const after: DocumentType = {
      ...base,
      type: "note",
      payload: z.strictObject({ content: z.string(), mood: z.string().optional() }),
    };
    const sealed = (type: DocumentType, payload: object) =>
      sealDocument({ type: "note", id: "n" }, { ...payload }, coreDocumentTypes.extend(type)).content_hash;

    expect(sealed(after, { content: "a" })).toBe(sealed(before, { content: "a" }));
    expect(sealed(after, { content: "a", mood: "good" })).not.toBe(sealed(after, { content: "a" }));
    expect(sealed(after, { content: "a", mood: "good" })).not.toBe(sealed(after, { content: "a", mood: "bad" }));
  });

  it("of JSON are the same whatever the order of keys", () => {
    expect(hashJson({ a: 1, b: [2, { d: 3, c: 4 }] })).toBe(hashJson({ b: [2, { c: 4, d: 3 }], a: 1 }));
  });
});
