import { coreDocumentTypes, defined, type ObjectDocument, sealAttachment, sealDocument } from "@cm/object-model";
import { z } from "zod";
import type { Random } from "../random/random.ts";

const ids: readonly [string, ...string[]] = [
  "call_1",
  "__proto__",
  "with\0nul",
  "\u{1f600}",
  "\ue000",
  "\uffee",
  "\u{10fffd}",
  "zoë",
];
const texts: readonly [string | null, ...(string | null)[]] = [
  null,
  "",
  "same",
  "another",
  "line\n".repeat(80),
  "é\u{1f600}\0",
];
const paths: readonly [string, ...string[]] = ["/a", "/a/b.ts", "/a/b\u{1f600}c", "/a/\uffeeb", "/b"];
const sessions: readonly [string, ...string[]] = ["s1", "session-two", "0197c0de-0000-7000-8000-0000000000aa"];
const images = [1, 2].map((byte) => sealAttachment("image/png", Uint8Array.of(byte)));

const note = z.strictObject({ weight: z.number(), content: z.string().nullable(), session_ref: z.string().optional() });
const acceptsId = (id: string) => id.length > 0;

/** Core types, two types that accept the same ids, and a sourced one with another binding. */
export const referenceTypes = coreDocumentTypes.extend(
  { type: "note", role: "content", sourced: false, acceptsId, payload: note },
  { type: "memo", role: "content", sourced: false, acceptsId, payload: note },
  { type: "page", role: "content", sourced: true, acceptsId: () => true, payload: note },
);

export function referenceToolcall(
  id: string,
  content: string | null,
  more: Record<string, unknown> = {},
): ObjectDocument {
  const fields = { tool: "bash", args: {}, status: "ok", chat_ref: "chat:s1", ...more };
  return sealDocument({ type: "toolcall", id }, { content, ...fields }, referenceTypes);
}

export function referenceFile(path: string, content: string | null, sourceHash?: string): ObjectDocument {
  return sealDocument(
    { type: "file", source: { type: "filesystem", filesystemId: "fs", path } },
    {
      content,
      ...defined({ source_hash: sourceHash }),
      file_type: "",
      char_count: content?.length ?? 0,
      ...(content === null ? { null_reason: "unread" } : {}),
    },
  );
}

/** A document out of few ids and texts, so that they meet often. */
export function drawnDocument(random: Random): ObjectDocument {
  const dice = random.below(10);
  const text = random.pick(texts);
  const session = random.pick(sessions);
  if (dice < 3) return referenceToolcall(random.pick(ids), text, randomCall(random, session));
  if (dice < 5) return referenceFile(random.pick(paths), text, random.pick([undefined, "etag-1", "etag-2"]));
  if (dice < 6) return randomPage(random, text, session);
  if (dice < 7) return lease(session, random.below(3));
  if (dice < 8) return images[random.below(images.length)]?.document ?? referenceFile("/a", null);
  const payload = {
    weight: random.below(3),
    content: text,
    ...(random.chance(0.5) ? { session_ref: `chat:${session}` } : {}),
  };
  return sealDocument({ type: random.pick(["note", "memo"]), id: random.pick(ids) }, payload, referenceTypes);
}

function randomCall(random: Random, session: string): Record<string, unknown> {
  const image = images[random.below(images.length)];
  return {
    tool: random.pick(["read", "bash"]),
    args: JSON.parse(random.pick(['{"b":1,"a":[true,null,"é"]}', '{"__proto__":{"x":1}}', "{}"])),
    chat_ref: `chat:${session}`,
    ...(random.chance(0.3) && image !== undefined ? { attachments: [image.ref] } : {}),
  };
}

function randomPage(random: Random, content: string | null, session: string): ObjectDocument {
  const source = random.chance(0.5)
    ? { type: "web", url: `https://example.org${random.pick(paths)}`, lang: "en" }
    : { type: "git", repo: "r", ref: "main", path: random.pick(paths) };
  return sealDocument(
    { type: "page", source },
    { weight: 1, content, session_ref: `session:${session}` },
    referenceTypes,
  );
}

function lease(session: string, n: number): ObjectDocument {
  const payload = { content: null, session_ref: `session:${session}`, owner: "me", acquired_at: n, expires_at: n };
  return sealDocument({ type: "lease", id: `lease:${session}` }, payload);
}

/** Ids that a run may meet, and one that it cannot. */
export const knownIds: readonly string[] = [
  ...ids,
  ...paths.map((path) => referenceFile(path, null)["xt/id"]),
  ...sessions.map((session) => `lease:${session}`),
  ...images.map(({ document }) => document["xt/id"]),
  "never written",
  "\ud83d",
];

/** Conditions that filters are put together from; halves of surrogate pairs among them. */
export const filterParts = {
  type: ["file", "toolcall", "note", "memo", "page", "lease", "attachment", "none"],
  session: [...sessions, "", "\ud83d"],
  tool: ["read", "bash", "\0"],
  path: ["b", "\ud83d", "\u{1f600}", "", "/a/"],
  namespace: ["fs", "r@main", "nowhere"],
  sourceType: ["filesystem", "git", "web"],
  pathPrefix: ["/a", "/a/b", "/a/b\ud83d", "", "https://", "\udfff"],
} as const;
