// Verifies: SSOT 7.4: stored payloads stay readable: what an encoding means never changes.
import zlib from "node:zlib";
import { describe, expect, it } from "vitest";
import { type ObjectDocument, sealDocument, sha256 } from "../../src/index.ts";
import { packJson, unpackJson } from "../../src/stored-form/packed-json.ts";
import { decodePayload, encodePayload } from "../../src/stored-form/payload-codec.ts";
import { payloadFragments1 } from "../../src/stored-form/payload-fragments.ts";
import { payloadSample1 } from "../../src/stored-form/payload-sample.ts";
import { decompressAfterSample } from "../../src/stored-form/zstd-after-sample.ts";
import { createRandom, forSeeds } from "../random/random.ts";

const session = "0197c0de-0000-7000-8000-0000000000aa";
const pieces = [
  ...payloadFragments1,
  session,
  "a".repeat(64),
  "0".repeat(65),
  "abc-",
  '"',
  "\u0001",
  "\u001f",
  "é\u{1f600}",
];

function toolcall(content: string | null, args: Record<string, string | number>): ObjectDocument {
  const payload = { content, tool: "bash", args, status: "ok" as const, chat_ref: "chat:s1" };
  return sealDocument({ type: "toolcall", id: "call" }, payload);
}

const stub = sealDocument(
  { type: "file", source: { type: "filesystem", filesystemId: "fs", path: "/a" } },
  { content: null, file_type: "", char_count: 0, null_reason: "unread" },
);

describe("what is in released files", () => {
  // A change here makes files unreadable. Add an encoding or a migration instead.
  it.each([
    ["fragments 1", payloadFragments1.join("\n"), "ad61c081e20cbce7ed50f5be6ae54231b3166e658dd9b0aac5a74ff19904ffe8"],
    ["sample 1", payloadSample1, "95ada3f4e43d7b70155b9ece50a4caf64329ed94de89956237e6495379c56ed8"],
  ])("%s is frozen", (_name, value, hash) => {
    expect(sha256(value)).toBe(hash);
  });
});

describe("packed JSON", () => {
  it("comes back as it was, whatever stands in it", () => {
    forSeeds(2_000, (random) => {
      const values = Array.from({ length: random.below(6) }, () => random.pick(pieces).slice(random.below(3)));
      // A piece may stand inside a string or be JSON's own: both kinds of text are JSON without control characters.
      const bare = [...values.join("")].filter((character) => character >= " ");
      const json = `${JSON.stringify(values)}${bare.join("")}`.toWellFormed();
      const name = random.pick([session, "", "s1", "abc-", "aaaa", "a b c d"]) || undefined;

      expect(unpackJson(packJson(json, name), name)).toBe(json);
    });
  });

  it("has one byte for each fragment, so that there are not more than fit", () => {
    expect(payloadFragments1.length).toBeLessThanOrEqual(28);
    expect(payloadFragments1.map((fragment) => packJson(fragment, undefined).length)).toEqual(
      payloadFragments1.map(() => 1),
    );
  });
});

describe("a payload", () => {
  it("keeps its fields, their order, and the place of the text", () => {
    const document = toolcall("the text", JSON.parse('{"b":1,"__proto__":2,"a":"é"}'));
    const {
      "xt/id": _id,
      type: _type,
      source: _source,
      identity_hash: _identity,
      content_hash: _hash,
      ...fields
    } = document;

    const decoded = decodePayload(encodePayload(document, "s1"), "s1");

    expect(JSON.stringify(decoded)).toBe(JSON.stringify({ ...fields, content: null }));
  });

  it("of a stub takes a few bytes, without compression", () => {
    expect(encodePayload(stub, undefined)).toMatchObject({ enc: 0, data: Buffer.from([29, 30, 48, 31]) });
  });

  it("is compressed where that is shorter", () => {
    const document = toolcall(null, { command: "again and again ".repeat(50) });

    expect(encodePayload(document, "s1").enc).toBe(2);
    expect(encodePayload(document, "s1").data.length).toBeLessThan(120);
  });

  // As encoding 1 wrote it: zstd with the sample as its dictionary, without the magic.
  it.each([
    ["short", '{"content":null,"tool":"bash"}', {}],
    ["of many blocks", "again and again, but never the same: ", {}],
    ["with a checksum", "checked ", { [zlib.constants.ZSTD_c_checksumFlag]: 1 }],
    ["without its size", "of no size ", { [zlib.constants.ZSTD_c_contentSizeFlag]: 0 }],
    ["of a small window", "seen from near ", { [zlib.constants.ZSTD_c_windowLog]: 10 }],
  ])("of an earlier version is read on every Node: %s", (how, words, params) => {
    const random = createRandom(1);
    const times = how === "short" ? 1 : 20_000;
    const text = Array.from({ length: times }, () => `${words}${random.below(1e9)}`).join("");
    const written = zlib.zstdCompressSync(text, { dictionary: payloadSample1, params }).subarray(4);

    expect(decompressAfterSample(written, payloadSample1, text.length).toString()).toBe(text);
  });

  it("of an earlier version is shorter for its sample, so that reading it needs that", () => {
    const compressed = zlib.zstdCompressSync(payloadSample1, { dictionary: payloadSample1 });

    expect(compressed.length * 10).toBeLessThan(payloadSample1.length);
    expect(decompressAfterSample(compressed.subarray(4), payloadSample1, payloadSample1.length)).toEqual(
      payloadSample1,
    );
  });
});
