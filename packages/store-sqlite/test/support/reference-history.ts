import { type ObjectStore, sealAttachment, sealDocument } from "@cm/object-model";
import { file, testTypes, toolcall } from "./documents.ts";

export const referenceStart = Date.UTC(2026, 0, 1);
const session = "0197c0de-0000-7000-8000-0000000000aa";
const { document: image, ref } = sealAttachment("image/png", Uint8Array.of(1, 2, 3));
const page = { type: "page", source: { type: "web", url: "https://example.org/", lang: "en" } };

/**
 * Everything that a file of any version has to keep: plain and compressed texts and payloads, both kinds of bindings,
 * corrections, planned versions, attachments, an erasure and a receipt. `at` sets the clock.
 */
export async function writeReferenceHistory(store: ObjectStore, at: (ms: number) => void): Promise<void> {
  const any = "any" as const;
  at(referenceStart);
  await store.commit([{ document: file("/a/b\u{1f600}.ts", "text\n".repeat(100), "etag"), expect: any }], {
    requestId: "r1",
  });
  at(referenceStart + 10);
  await store.commit([
    { document: toolcall("\uffee", "short", { attachments: [ref], chat_ref: `chat:${session}` }), expect: any },
    {
      document: toolcall("\u{1f600}", null, { args: { command: "again ".repeat(60) }, chat_ref: `chat:${session}` }),
      expect: any,
    },
    { document: image, expect: any },
    {
      document: sealDocument(page, { weight: 1.5, content: "", session_ref: `session:${session}` }, testTypes),
      expect: any,
    },
  ]);
  at(referenceStart + 20);
  await store.commit([{ document: file("/a/b\u{1f600}.ts", null), expect: any }], {
    validTime: new Date(referenceStart + 5),
  });
  await store.commit([{ document: file("/a/b\u{1f600}.ts", "planned"), expect: any }], {
    validTime: new Date(referenceStart + 99),
  });
  await store.commit([
    { document: toolcall("secret", "the secret"), expect: any },
    { document: file("/leaked", "the secret"), expect: any },
  ]);
  at(referenceStart + 30);
  await store.erase(["secret"], "leaked");
}

/** What is asked of the store afterwards, and a commit that came before. */
export const referenceQuestions: readonly ((store: ObjectStore) => Promise<unknown>)[] = [
  ...["\uffee", "\u{1f600}", "secret", image["xt/id"], file("/leaked", null)["xt/id"]].map(
    (id) => (store: ObjectStore) => store.history(id, { documents: true }),
  ),
  (store) => store.history(file("/a/b\u{1f600}.ts", null)["xt/id"], { documents: true }),
  (store) => store.getMany([file("/a/b\u{1f600}.ts", null)["xt/id"]], { validTime: new Date(referenceStart + 7) }),
  (store) => store.find({ session }, { documents: true }),
  (store) => store.find({ type: "file" }, { documents: true }),
  (store) => store.find({ source: { type: "web", pathPrefix: "en/https://example.org" } }, { documents: true }),
  (store) => store.find({ type: "toolcall", text: "HOR" }, { documents: true }),
  (store) => store.find({ type: "toolcall", text: "or" }),
  (store) => store.find({ source: { type: "filesystem" }, text: "secret" }),
  (store) =>
    store.commit([{ document: file("/a/b\u{1f600}.ts", "text\n".repeat(100), "etag"), expect: "any" }], {
      requestId: "r1",
    }),
  (store) => store.commit([{ document: toolcall("\uffee", "new"), expect: "absent" }]),
];
