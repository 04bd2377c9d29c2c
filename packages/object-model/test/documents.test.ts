// Verifies: SSOT 2.2, SSOT 2.4, F13
import { describe, expect, it } from "vitest";
import {
  attachmentBytes,
  attachmentIdsOf,
  coreDocumentTypes,
  isDocumentOf,
  type ObjectDocument,
  parseDocument,
  payloadOf,
  sameVersion,
  sealAttachment,
  sealDocument,
} from "../src/index.ts";
import { coreTypes, randomMaterial, seal } from "./random/documents.ts";
import { createRandom, forSeeds } from "./random/random.ts";

const wrong = expect.objectContaining({ code: expect.stringMatching(/^model\//) });
const source = { type: "filesystem", filesystemId: "fs-1", path: "/w/a.ts" } as const;
const file = sealDocument({ type: "file", source }, { content: "a", file_type: "ts", char_count: 1 });
const copyOf = (value: unknown) => JSON.parse(JSON.stringify(value));

/** Every way to damage one value: another value of its kind, another kind, and gone. */
function damages(value: unknown): readonly unknown[] {
  if (typeof value === "string") return [`${value}x`, value === "" ? " " : value.slice(1), null, undefined];
  if (typeof value === "number") return [value === 0 ? 1 : -value, `${value}`, undefined];
  if (typeof value === "boolean") return [!value, undefined];
  if (value === null) return [0, "", undefined];
  if (Array.isArray(value)) return [[...value, "x"], null, undefined, ...(value.length > 0 ? [value.slice(1)] : [])];
  return [{ ...value, extra: 1 }, null, undefined];
}

/** All copies of a document with one value in it damaged, at any depth. The source hash is the source's own. */
function* damaged(value: unknown, place: readonly string[] = []): Generator<{ place: string; value: unknown }> {
  if (typeof value !== "object" || value === null) return;
  for (const [key, member] of Object.entries(value)) {
    if (place.length === 0 && key === "source_hash") continue;
    const replaced = (by: unknown) =>
      Array.isArray(value) ? value.with(Number(key), by) : Object.fromEntries(Object.entries({ ...value, [key]: by }));
    const here = [...place, key];
    for (const damage of damages(member)) yield { place: here.join("."), value: replaced(damage) };
    for (const inner of damaged(member, here)) yield { place: inner.place, value: replaced(inner.value) };
  }
}

describe("sealing and parsing", () => {
  it("give back the same document, for random documents of every type", () => {
    for (const type of coreTypes) {
      forSeeds(100, (random) => {
        const document = seal(randomMaterial(random, type));

        expect(parseDocument(copyOf(document))).toEqual(document);
        expect(isDocumentOf(document, type)).toBe(true);
      });
    }
  });

  it("detect every change of every field at any depth, by a refusal", () => {
    for (const type of coreTypes) {
      forSeeds(12, (random) => {
        const document = copyOf(seal(randomMaterial(random, type)));

        for (const { place, value } of damaged(document)) {
          expect(() => parseDocument(value), `${type}: ${place}`).toThrow(wrong);
        }
      });
    }
  });

  it("cannot vouch for a source hash, which is its source's: another one is another version", () => {
    const read = parseDocument({ ...file, source_hash: "etag-1" });

    expect(read.content_hash).toBe(file.content_hash);
    expect(sameVersion(read, file)).toBe(false);
    expect(sameVersion(file, parseDocument(copyOf(file)))).toBe(true);
  });

  it("keep no field that is undefined", () => {
    const document = sealDocument(
      { type: "file", source },
      { content: "a", file_type: "ts", char_count: 1, redactions: undefined, source_hash: undefined },
    );

    expect(Object.keys(document).sort()).toEqual(Object.keys(file).sort());
  });

  it("freeze the whole document and share nothing with the caller", () => {
    const args = { list: [{ a: 1 }] };
    const call = sealDocument(
      { type: "toolcall", id: "call_1" },
      { content: "", tool: "bash", args, status: "ok", chat_ref: "chat:s1" },
    );

    args.list.push({ a: 2 });

    expect(call.args).toEqual({ list: [{ a: 1 }] });
    expect(Object.isFrozen(call) && Object.isFrozen(call.args) && Object.isFrozen(call.args.list)).toBe(true);
    expect(Object.isFrozen(file.source)).toBe(true);
  });

  it("give a parsed document back as it is when it was checked under the same types", () => {
    expect(parseDocument(file)).toBe(file);
  });

  it("do not let a document pass that was sealed under types which are not registered here", () => {
    const lease = coreDocumentTypes.get("lease");
    const types = coreDocumentTypes.extend({ ...required(lease), type: "note", acceptsId: () => true });
    const payload = { content: null, session_ref: "session:s", owner: "o", acquired_at: 0, expires_at: 0 };
    const note = sealDocument({ type: "note", id: "n" }, payload, types);

    expect(parseDocument(note, types)).toBe(note);
    expect(() => parseDocument(note)).toThrow(expect.objectContaining({ code: "model/invalid-document" }));
  });

  it("refuse a second definition of a type", () => {
    expect(() => coreDocumentTypes.extend(required(coreDocumentTypes.get("file")))).toThrow(wrong);
  });

  it.each([
    ["a file without a source", { type: "file", id: "a".repeat(64) }],
    ["a tool call with a source", { type: "toolcall", source }],
    ["a chat whose id names no session", { type: "chat", id: "chat:a b" }],
    ["a step without a number", { type: "step", id: "step:s1" }],
    ["a step with a padded number", { type: "step", id: "step:s1:01" }],
    ["an attachment without a hash", { type: "attachment", id: "attachment:x" }],
    ["an unknown type", { type: "folder", id: "x" }],
  ])("refuse %s", (_, identity) => {
    const { payload } = randomMaterial(createRandom(1), "toolcall");

    expect(() => sealDocument(identity, payload, coreDocumentTypes)).toThrow(wrong);
  });

  it.each([null, undefined, 1, "text", [], {}, { "xt/id": 1, type: "file" }, { "xt/id": "x", type: {} }])(
    "refuse %j as a document",
    (value) => {
      expect(() => parseDocument(value)).toThrow(wrong);
    },
  );
});

describe("payloads", () => {
  it("taken out of a document seal to the same document", () => {
    forSeeds(200, (random) => {
      const { identity, payload } = randomMaterial(random);
      const document = seal({ identity, payload });

      expect(seal({ identity, payload: payloadOf(document) })).toEqual(document);
    });
  });
});

describe("attachments", () => {
  it("keep bytes that are no text, and give them back", () => {
    const bytes = Uint8Array.from({ length: 256 }, (_, n) => n);

    const { document, ref } = sealAttachment("image/png", bytes);

    expect(Uint8Array.from(attachmentBytes(document))).toEqual(bytes);
    expect(document["xt/id"]).toBe(`attachment:${ref.sha256}`);
    expect(ref.bytes).toBe(256);
  });

  it("are refused when their bytes are not those of the id", () => {
    const { document } = sealAttachment("image/png", Uint8Array.of(1));

    expect(() => attachmentBytes({ ...document, content: "AAAA" })).toThrow(
      expect.objectContaining({ code: "store/corrupt" }),
    );
  });

  it("are found in tool calls and in the messages of steps, nowhere else", () => {
    const seeds = Array.from({ length: 50 }, (_, n) => createRandom(n));
    const carried = (document: ObjectDocument) => [...JSON.stringify(document).matchAll(/"sha256":"(\w+)"/g)];

    for (const random of seeds) {
      const document = seal(randomMaterial(random));

      expect(attachmentIdsOf(document)).toEqual(carried(document).map(([, hash]) => `attachment:${hash}`));
    }
  });
});

function required<T>(value: T | undefined): T {
  if (value === undefined) throw new Error("The core types lack one.");
  return value;
}
