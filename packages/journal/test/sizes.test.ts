import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { BlobStore, limits, prepareForPersistence, SessionManager, truncationNotice } from "../src/index.ts";
import { assistant, optionsIn, tempFolder } from "./support/places.ts";

const noBlobs = (): string => {
  throw new Error("No blob was expected.");
};
const prepared = <Value>(value: Value): Value => prepareForPersistence(value, noBlobs);
const max = limits.persistedStringCharsMax;

describe("what is written of an entry", () => {
  it("is the same object where nothing has to change", () => {
    const entry = { a: [{ b: "c".repeat(max) }], n: null };

    expect(prepared(entry)).toBe(entry);
  });

  it("has strings of at most the bound, with the notice", () => {
    const { text } = prepared({ text: "x".repeat(max + 1) });

    expect(truncationNotice).toBe("\n\n[Session persistence truncated large content]");
    expect(text).toHaveLength(max);
    expect(text.endsWith(truncationNotice)).toBe(true);
  });

  it("is never cut inside of a surrogate pair", () => {
    const room = max - truncationNotice.length;
    const { text } = prepared({ text: `${"x".repeat(room - 1)}${"😀".repeat(200)}` });

    expect(text).toBe(`${"x".repeat(room - 1)}${truncationNotice}`);
    expect(text.isWellFormed()).toBe(true);
  });

  it("has no leftovers of a stream at any depth, and no halves of signatures", () => {
    const long = "s".repeat(max + 1);

    expect(
      prepared({
        a: [{ partialJson: "x", b: { jsonlEvents: [1], c: 1 } }],
        thinkingSignature: long,
        textSignature: "k",
      }),
    ).toEqual({ a: [{ b: { c: 1 } }], thinkingSignature: "", textSignature: "k" });
  });

  it("counts lines again where content was cut, and only there", () => {
    const long = prepared({ content: "line\n".repeat(max), lineCount: max });

    expect(long.lineCount).toBe(long.content.split("\n").length);
    expect(prepared({ content: "one", lineCount: 7 })).toEqual({ content: "one", lineCount: 7 });
  });

  it("keeps an own __proto__ as data", () => {
    const entry = JSON.parse('{"__proto__":{"partialJson":"x","a":1}}');

    expect(JSON.stringify(prepared(entry))).toBe('{"__proto__":{"a":1}}');
  });
});

describe("images", () => {
  const bytes = Buffer.alloc(768, 7);
  const data = bytes.toString("base64");
  const message = (image: string) => ({
    ...assistant("seen"),
    content: [{ type: "image", mimeType: "image/png", data: image }],
  });

  it("go to the blob store by the hash of their bytes, and are back after a load", async () => {
    const folder = tempFolder();
    const options = optionsIn(folder);
    const session = SessionManager.create("/work", undefined, options);
    session.appendMessage(message(data));
    session.appendCustomMessageEntry("ext", message(data).content);
    await session.close();
    const path = session.getSessionFile() as string;
    const hash = createHash("sha256").update(bytes).digest("hex");

    const again = await SessionManager.open(path, undefined, options);

    expect(data).toHaveLength(limits.blobBase64CharsMin);
    expect(readFileSync(path, "utf8").split(`"blob:sha256:${hash}"`)).toHaveLength(3);
    expect(readdirSync(join(folder, "blobs"))).toEqual([hash]);
    expect(readFileSync(join(folder, "blobs", hash))).toEqual(bytes);
    expect(again.getEntries()).toEqual(session.getEntries());
    expect(again.buildSessionContext().messages[0]).toEqual(message(data));
  });

  it("stay where they are small, no base64, outside of contents, or where Pi has to read them", async () => {
    const folder = tempFolder();
    const small = data.slice(0, -4);
    for (const image of [small, "!".repeat(2000)]) {
      expect(prepared(message(image))).toEqual(message(image));
    }
    expect(prepared({ images: [{ type: "image", data }] })).toEqual({ images: [{ type: "image", data }] });
    const session = SessionManager.create("/work", undefined, optionsIn(folder, { dialect: "pi" }));
    session.appendMessage(message(data));
    await session.close();

    expect(readFileSync(session.getSessionFile() as string, "utf8")).toContain(data);
  });

  it("whose bytes are gone leave their reference and a warning", async () => {
    const warnings: unknown[] = [];
    const options = optionsIn(tempFolder());
    const session = SessionManager.create("/work", undefined, options);
    session.appendMessage(message(data));
    await session.close();

    const again = await SessionManager.open(session.getSessionFile() as string, undefined, {
      ...options,
      blobsDir: tempFolder(),
      onWarning: (warning) => warnings.push(warning),
    });

    const hash = createHash("sha256").update(bytes).digest("hex");
    expect(again.buildSessionContext().messages[0]).toEqual(message(`blob:sha256:${hash}`));
    expect(warnings).toEqual([{ kind: "missing-blob", name: hash }]);
  });

  it("are not looked for outside of the blob store", async () => {
    const blobs = new BlobStore(tempFolder());
    const { hash, ref } = await blobs.put(bytes);

    expect(ref).toBe(`blob:sha256:${hash}`);
    expect(await blobs.get(hash)).toEqual(bytes);
    expect(await blobs.has(hash)).toBe(true);
    for (const other of ["../../etc/passwd", "0".repeat(64), ""]) expect(await blobs.get(other)).toBeNull();
  });

  it("given as data URLs come back, too", async () => {
    const options = optionsIn(tempFolder());
    const session = SessionManager.create("/work", undefined, options);
    const url = `data:image/png;base64,${data}`;
    session.appendMessage({ ...assistant("x"), payload: { items: [{ image_url: url }] } });
    await session.close();

    const again = await SessionManager.open(session.getSessionFile() as string, undefined, options);

    expect(readFileSync(session.getSessionFile() as string, "utf8")).not.toContain(url);
    expect(again.getEntries()).toEqual(session.getEntries());
  });
});
