import type { ForeignFile } from "@cm/context-log";
import type { CheckedQuery } from "@cm/context-log/state";
import {
  type DocumentOf,
  defined,
  type Filter,
  isDocumentOf,
  locationOf,
  type ObjectStore,
  type SourceBinding,
} from "@cm/object-model";
import { foundIds, searchesText } from "@cm/step-log/load";
import { limits } from "../limits.ts";
import type { FileWatch } from "./file-watch.ts";
import type { IndexedFile } from "./touches.ts";

/** Where files of other sessions are looked for, and how. */
export interface Discovery {
  readonly store: ObjectStore;
  readonly prefixes: readonly DiscoverPrefix[];
  /** The path as the agent sees it, where that is not the canonical one. */
  readonly displayOf: (source: SourceBinding) => string | undefined;
}

/** A file that may be adopted, as the store has it. Undefined: there is none, or it is not for this session. */
async function discoverable({ store, prefixes }: Discovery, id: string): Promise<DocumentOf<"file"> | undefined> {
  if (prefixes.length === 0) return undefined;
  const document = (await store.getMany([id])).get(id)?.document;
  if (!isDocumentOf(document, "file")) return undefined;
  return isCovered(prefixes, document.source) ? document : undefined;
}

/**
 * Files that others stored below the prefixes and this session has not met, as far as a query asks for them: at most
 * `limits.foreignFilesMax`, of the first `limits.foreignLooksMax` that the store names.
 */
export async function foreignFiles(
  discovery: Discovery,
  query: CheckedQuery,
  isOwn: (id: string) => boolean,
): Promise<readonly ForeignFile[]> {
  const { kind, level, pinned, tool } = query;
  if (kind === "toolcall" || level !== undefined || pinned === true || tool !== undefined) return [];
  const found = new Map<string, ForeignFile>();
  let looks = 0;
  for (const prefix of discovery.prefixes) {
    for await (const documents of documentsBelow(discovery.store, prefix, { isOwn, text: query.text })) {
      for (const document of documents) {
        looks += 1;
        const file = asForeign(discovery, query, document);
        if (file !== undefined) found.set(file.id, file);
        if (found.size >= limits.foreignFilesMax || looks >= limits.foreignLooksMax) return [...found.values()];
      }
    }
  }
  return [...found.values()];
}

function asForeign(
  { prefixes, displayOf }: Discovery,
  { path, fileType, text }: CheckedQuery,
  document: DocumentOf<"file">,
): ForeignFile | undefined {
  const { source, null_reason } = document;
  if (source === null || null_reason === "deleted" || !isCovered(prefixes, source)) return undefined;
  const shown = displayOf(source) ?? locationOf(source).path;
  const isAsked =
    (path === undefined || shown.includes(path)) &&
    (fileType === undefined || document.file_type === fileType) &&
    (text === undefined || (document.content ?? "").toLowerCase().includes(text));
  if (!isAsked) return undefined;
  return { id: document["xt/id"], path: shown, fileType: document.file_type, charCount: document.char_count };
}

/** Stored files below a prefix that are not the session's own, some at a time: their texts are read with them. */
async function* documentsBelow(
  store: ObjectStore,
  { type, namespace, pathPrefix }: DiscoverPrefix,
  { isOwn, text }: { readonly isOwn: (id: string) => boolean; readonly text: string | undefined },
): AsyncGenerator<readonly DocumentOf<"file">[]> {
  const all: Filter = { type: "file", source: { type, ...defined({ namespace, pathPrefix }) } };
  const withText: Filter = text === undefined ? all : { ...all, text };
  const isSearched = text === undefined || (await searchesText(store, withText));
  for await (const page of foundIds(store, isSearched ? withText : all)) {
    const ids = page.filter((id) => !isOwn(id));
    for (let from = 0; from < ids.length; from += limits.filesPerRead) {
      const versions = await store.getMany(ids.slice(from, from + limits.filesPerRead));
      yield [...versions.values()].flatMap(({ document }) => (isDocumentOf(document, "file") ? [document] : []));
    }
  }
}

/** Files of one kind of source that a session may take over from others: those of a namespace, at or below a path. */
export interface DiscoverPrefix {
  /** As in the bindings: `filesystem`, `git`, ... */
  readonly type: string;
  /** Default: any. */
  readonly namespace?: string;
  /** Whole components of the path: `/a/b` covers `/a/b` and `/a/b/c`, not `/a/bc`. Default: any. */
  readonly pathPrefix?: string;
}

/** Whether a file lies where the session is configured to discover. */
function isCovered(prefixes: readonly DiscoverPrefix[], source: SourceBinding | null): boolean {
  if (source === null) return false;
  const location = locationOf(source);
  return prefixes.some(
    ({ type, namespace, pathPrefix = "" }) =>
      location.type === type &&
      (namespace === undefined || location.namespace === namespace) &&
      (pathPrefix === "" ||
        location.path === pathPrefix ||
        location.path.startsWith(pathPrefix.endsWith("/") ? pathPrefix : `${pathPrefix}/`)),
  );
}

/** A file of others, in the version that comes into sight. */
export type AdoptableFile = IndexedFile & { readonly document: DocumentOf<"file"> };

/**
 * Looks at a file that another session stored: what its source has now, or, if the source cannot be observed, the version that is
 * stored. Undefined where the session must not know whether there is such a file.
 */
export async function lookToAdopt(
  { discovery, watch }: { readonly discovery: Discovery; readonly watch: FileWatch },
  id: string,
): Promise<AdoptableFile | undefined> {
  const stored = await discoverable(discovery, id);
  if (stored === undefined) return undefined;
  const looked = (await watch.read(id)).find((file) => file.id === id);
  const { document = stored } = looked ?? {};
  const unseen = { id, outcome: "unreachable", write: undefined, display: undefined } as const;
  return { ...(looked ?? unseen), document };
}
