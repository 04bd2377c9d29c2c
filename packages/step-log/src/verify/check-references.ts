import {
  attachmentIdsOf,
  chatId,
  type DocumentOf,
  type DocumentTypes,
  defined,
  erasedObjectsAmong,
  everyVersion,
  type HistoryReader,
  historiesOf,
  indexedBy,
  isCmError,
  isDocumentOf,
  journalPartId,
  type ObjectDocument,
  type ObjectStore,
  observedBy,
  type StoredVersion,
  sessionOfReference,
  stepId,
  toolcallsIn,
} from "@cm/object-model";
import { limits } from "../limits.ts";
import { type Readable, readReadable } from "../path/read-readable.ts";
import type { Finding, Named, Reference } from "./finding.ts";
import type { ToCome } from "./unfinished-imports.ts";

interface CheckOptions {
  readonly types: DocumentTypes;
  /** What an import that was cut writes later. */
  readonly toCome?: ToCome;
}

/**
 * What documents name must be there, in the version they name, or have been erased. A finding stands under the document
 * that names what is missing; what was erased, or has a type that no list leads to, under its own id.
 */
export async function* checkReferences(
  store: ObjectStore,
  named: readonly Named[],
  { types, toCome }: CheckOptions,
): AsyncGenerator<Finding> {
  for (let from = 0; from < named.length; from += limits.referencesPerRead) {
    const part = named.slice(from, from + limits.referencesPerRead);
    const ids = [...new Set(part.map(({ reference }) => reference.id))];
    // Where a store gives many histories at once, they tell it without the documents, which may be large.
    const { found, unreadable } = store.histories === undefined ? await readReadable(store, ids) : nothingRead;
    const older = part.flatMap(({ reference }) => {
      return isNamed(reference, found.get(reference.id)) ? [] : [reference.id];
    });
    const histories = await historiesOf(store, [...new Set(older)], {});
    const left: Named[] = [];
    for (const { by, reference } of part) {
      const version = await versionNamed(reference, found.get(reference.id), histories.get(reference.id));
      const state = stateOf(version, types);
      // A damaged one is named where it is met itself; here it counts as there.
      if (unreadable.has(reference.id) && state !== "strange") continue;
      if (state === "strange")
        yield { id: reference.id, problem: "stamp", detail: "the store's type of it is none that is known here" };
      if (state === "erased") yield { id: reference.id, problem: "erased", detail: "named by others, erased" };
      if (state === "missing" && toCome?.has({ by, reference }) !== true) left.push({ by, reference });
    }
    const erased = await erasedObjectsAmong(
      store,
      left.map(({ reference }) => reference.id),
    );
    for (const { by, reference } of left) {
      if (wasErased(reference, erased.get(reference.id))) {
        yield { id: reference.id, problem: "erased", detail: "named by others, erased before it was brought here" };
        continue;
      }
      const what = reference.contentHash === undefined ? "" : "the named version of ";
      yield { id: by.id, type: by.type, problem: "missing", detail: `${what}${reference.id} is not there` };
    }
  }
}

const nothingRead: Readable = { found: new Map(), unreadable: new Set() };

type Stamp = Pick<StoredVersion, "contentHash" | "erased" | "type">;

const isNamed = ({ contentHash }: Reference, newest: Stamp | undefined): newest is Stamp =>
  newest !== undefined && (contentHash === undefined || newest.contentHash === contentHash);

function stateOf(
  version: Stamp | "unreadable" | undefined,
  types: DocumentTypes,
): "there" | "erased" | "missing" | "strange" {
  if (version === undefined) return "missing";
  // A damaged one is named where it is met itself.
  if (version === "unreadable") return "there";
  if (version.erased !== undefined) return "erased";
  return types.get(version.type) === undefined ? "strange" : "there";
}

/** @param read the object's history, for a reference to another version than the newest, or where that was not read */
async function versionNamed(
  reference: Reference,
  newest: Stamp | undefined,
  read: HistoryReader | undefined,
): Promise<Stamp | "unreadable" | undefined> {
  if (isNamed(reference, newest)) return newest;
  if (read === undefined) return undefined;
  const { contentHash } = reference;
  try {
    for await (const version of everyVersion(read)) {
      if (contentHash === undefined || version.contentHash === contentHash) return version;
    }
  } catch (error) {
    if (!isCmError(error, "store/corrupt")) throw error;
    return "unreadable";
  }
  return undefined;
}

const wasErased = ({ contentHash }: Reference, versions: ReadonlySet<string> | undefined): boolean =>
  versions !== undefined && (contentHash === undefined || versions.has(contentHash));

/** Everything a document names. Pure. */
export function referencesOf(document: ObjectDocument): readonly Reference[] {
  return [...attachmentIdsOf(document).map((id) => ({ id })), ...ownReferences(document)];
}

function ownReferences(document: ObjectDocument): readonly Reference[] {
  if (isDocumentOf(document, "step")) return ofStep(document);
  if (isDocumentOf(document, "toolcall")) return ofToolcall(document);
  if (isDocumentOf(document, "session")) return ofSession(document);
  if (isDocumentOf(document, "chat")) {
    return [{ id: document.session_ref }, ...(document.head === null ? [] : [{ id: stepId(document.head) }])];
  }
  if (isDocumentOf(document, "keyframe") || isDocumentOf(document, "standing")) {
    const session = sessionOfReference(document.session_ref);
    return [{ id: document.session_ref }, { id: stepId({ session, n: document.n }) }];
  }
  if (isDocumentOf(document, "system_prompt") || isDocumentOf(document, "lease")) return [{ id: document.session_ref }];
  if (isDocumentOf(document, "journal")) {
    const parts = Array.from({ length: document.part_count }, (_, n) => n);
    const session = sessionOfReference(document.session_ref);
    return [{ id: document.session_ref }, ...parts.map((n) => ({ id: journalPartId(session, n) }))];
  }
  if (isDocumentOf(document, "journal_part")) return [{ id: document.session_ref }];
  return [];
}

function ofStep(step: DocumentOf<"step">): readonly Reference[] {
  const { session_ref, parent, merged, messages } = step;
  const seen = observedBy(step);
  const files = new Set(seen.map(({ file }) => file));
  return [
    { id: session_ref },
    ...(parent === null ? [] : [{ id: stepId(parent) }]),
    ...(merged === undefined ? [] : [{ id: stepId(merged) }]),
    ...[...new Set([...toolcallsIn(messages), ...indexedBy(step).filter((id) => !files.has(id))])].map((id) => ({
      id,
    })),
    ...seen.map(({ file, content_hash }) => ({ id: file, contentHash: content_hash })),
  ];
}

function ofToolcall({ chat_ref, file_refs = [], spans = [] }: DocumentOf<"toolcall">): readonly Reference[] {
  return [
    { id: chatId(sessionOfReference(chat_ref)) },
    ...file_refs.map((id) => ({ id })),
    ...spans.map(({ file, content_hash }) => ({
      id: file,
      ...defined({ contentHash: content_hash }),
    })),
  ];
}

function ofSession(document: DocumentOf<"session">): readonly Reference[] {
  const { chat_ref, system_prompt_ref, head, keyframe, forked_from, pending } = document;
  const waiting = (pending?.messages ?? []).flatMap((message) => (message.role === "tool" ? [message.object] : []));
  return [
    ...waiting.map((id) => ({ id })),
    ...(pending?.observed ?? []).map(({ file, content_hash }) => ({ id: file, contentHash: content_hash })),
    { id: chat_ref },
    { id: system_prompt_ref },
    ...[head, forked_from ?? null].flatMap((address) => (address === null ? [] : [{ id: stepId(address) }])),
    ...(keyframe === undefined ? [] : [{ id: keyframe }]),
  ];
}
