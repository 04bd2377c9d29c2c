import type { Filter, FindOptions, ObjectDocument } from "@cm/object-model";
import { attachment, file, paper, step, systemPrompt, ticket, toolcall } from "../object-store/samples.ts";

const texts = ["", "one", "two", "the shared text"];
const image = attachment("picture");

/**
 * The documents that commands write: few objects and few texts, so that they meet. Two types stand under one id, texts
 * are shared between objects, attachments hang on a call and a step, and the last document is forged.
 */
export const subjects: readonly ObjectDocument[] = [
  ...texts.flatMap((text) => [file("/w/a.ts", text), systemPrompt("s1", text), toolcall("__proto__", text)]),
  file("/w/a.ts", null),
  file("/w/a.ts", null, { etag: "etag-1" }),
  file("/w/a.ts", null, { etag: "etag-2" }),
  file("/w/a.ts", "one", { filesystemId: "fs-2" }),
  file("/w/b.ts", "one"),
  file("/w/b.ts", "the shared text"),
  paper("note", "paper:1", "one"),
  paper("note", "paper:1", "two"),
  paper("memo", "paper:1", "one"),
  toolcall("call_1", "one", { tool: "read", attachments: [image.ref] }),
  toolcall("call_1", "two", { tool: "read" }),
  image.document,
  step("s1", 0, [image.ref]),
  step("s1", 0),
  ticket("1", { status: "open", labels: { team: "a", tags: ["x", "y"] }, opened_at: 7 }),
  ticket("1", { status: "done", labels: { team: "a" }, opened_at: 7 }),
  ticket("2", { status: "open", labels: { team: "b" }, opened_at: 7 }),
  ticket("2", { status: "open", owner: "ada", labels: { team: "a" }, opened_at: 9 }),
  ticket("3", { status: "done", content: "one", opened_at: 3 }),
  { ...toolcall("call_1", "one"), content: "forged" },
];

/** All ids that ever exist, and one that does not. */
export const subjectIds: readonly string[] = [
  ...new Set([...subjects.map((document) => document["xt/id"]), "never written"]),
];

/** What is asked for: a filter, and where it has one, another order than that of ids. */
export const questions: readonly { readonly filter: Filter; readonly order?: FindOptions["order"] }[] = [
  { filter: { type: "file" } },
  { filter: { type: "toolcall", tool: "read" } },
  { filter: { type: "memo" } },
  { filter: { session: "s1" } },
  { filter: { source: { type: "filesystem", namespace: "fs-1", pathPrefix: "/w/a" } } },
  { filter: { source: { type: "filesystem" }, path: "b.ts" } },
  { filter: { type: "toolcall", text: "ONE" } },
  { filter: { text: "one" } },
  { filter: { type: "ticket" }, order: "newest" },
  { filter: { type: "ticket", where: { status: "open" } } },
  { filter: { type: "ticket", where: { status: "open", labels: { team: "a" } } }, order: "newest" },
  { filter: { type: "ticket", where: { labels: { tags: ["y"] } } }, order: "newest" },
  { filter: { type: "ticket", where: { status: "done" } }, order: "newest" },
];
