import { type DocumentOf, defined, locationOf } from "@cm/object-model";
import type { ViewObject } from "../view.ts";

/** A tool call as the prompt shows it. */
export function toolcallObject(document: DocumentOf<"toolcall">, alias: string): ViewObject {
  return {
    id: document["xt/id"],
    alias,
    kind: "toolcall",
    tool: document.tool,
    status: document.status,
    text: document.content,
    ...defined({ argsDisplay: document.args_display, spans: document.spans, redactions: document.redactions }),
    ...defined({ attachments: document.attachments?.length || undefined }),
    ...(document.content === null ? { textless: "unread" as const } : {}),
  };
}

/** A file as the prompt shows it: in its newest version in sight, under the path that the agent knows. */
export function fileObject(document: DocumentOf<"file">, alias: string, display: string | undefined): ViewObject {
  const path = display ?? (document.source === null ? "" : locationOf(document.source).path);
  return {
    id: document["xt/id"],
    alias,
    kind: "file",
    path,
    fileType: document.file_type,
    contentHash: document.content_hash,
    charCount: document.char_count,
    // Few of a session's files are ever looked at, and each may have to be unpacked for that.
    get text() {
      return document.content;
    },
    ...defined({ redactions: document.redactions }),
    ...textlessOf(document),
  };
}

/** The same file under another path. Its text is unpacked at the first access. */
export function atPath(file: ViewObject, path: string): ViewObject {
  const fields = Object.getOwnPropertyDescriptors(file);
  return Object.defineProperties({} as ViewObject, { ...fields, path: { ...fields.path, value: path } });
}

/**
 * An object in the place of an older one, which keeps its short name. Its id is its own: so it is known to stand there.
 * @param seen whose version counts as the one in sight
 */
export function standingFor(newest: ViewObject, alias: string, seen: Pick<ViewObject, "contentHash">): ViewObject {
  const { alias: _alias, contentHash: _contentHash, ...fields } = Object.getOwnPropertyDescriptors(newest);
  const { contentHash } = seen;
  const own = contentHash === undefined ? { alias } : { alias, contentHash };
  return Object.defineProperties(own as ViewObject, fields);
}

/** Told without a look at the text, where that is possible. */
function textlessOf(document: DocumentOf<"file">): Pick<ViewObject, "textless"> {
  const { null_reason, char_count } = document;
  if (null_reason !== undefined) return { textless: null_reason };
  return char_count === 0 && document.content === null ? { textless: "unread" } : {};
}

/**
 * A file that has no text, with the newest part of it that the agent saw (SSOT 5.10): it still says why it has none. What
 * was erased stays so.
 */
export function withSeenPart(file: ViewObject, text: string): ViewObject {
  const isGone = file.textless === "erased" || file.textless === "missing";
  return file.textless === undefined || isGone ? file : { ...file, text };
}

/** Stands where text was erased (SSOT 3.9). */
export const erasedMark = "[erased]";

/** Stands where the store has lost a text. */
export const missingMark = "[missing]";

export type ObjectName = Pick<ViewObject, "id" | "alias" | "kind">;

/** An object whose document was erased: its place in the sets stays. */
export function erasedObject({ id, alias, kind }: ObjectName): ViewObject {
  return { id, alias, kind, text: null, textless: "erased" };
}

/** The same where the store has lost it. */
export function missingObject({ id, alias, kind }: ObjectName): ViewObject {
  return { id, alias, kind, text: null, textless: "missing" };
}

/** Holds the place of a file, with its alias, until the first version with a text comes. */
export function unreadObject(id: string, alias: string): ViewObject {
  return { id, alias, kind: "file", text: null };
}
