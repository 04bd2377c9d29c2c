import { type DocumentOf, everyVersion, isDocumentOf, type ObjectDocument, type ObjectStore } from "@cm/object-model";
import type { StepObjects } from "../state/advance.ts";
import type { Observed } from "./observed.ts";
import { readInParts } from "./read-in-parts.ts";

/** The objects that steps refer to, fetched in few reads, in the versions that those steps saw. */
export async function readStepObjects(store: ObjectStore, steps: readonly DocumentOf<"step">[]): Promise<StepObjects> {
  const files = new Map<string, Set<string>>();
  for (const { file, content_hash } of steps.flatMap(observedBy)) {
    const hashes = files.get(file);
    if (hashes === undefined) files.set(file, new Set([content_hash]));
    else hashes.add(content_hash);
  }
  const toolcalls = new Set(steps.flatMap((step) => toolcallIdsOf(step)).filter((id) => !files.has(id)));
  const found = await readInParts(store, [...toolcalls]);
  const versions = await readVersions(store, files);
  return {
    toolcall(id) {
      const document = found.get(id)?.document;
      return document !== undefined && isDocumentOf(document, "toolcall") ? document : undefined;
    },
    file(id, contentHash) {
      const document = versions.get(id)?.get(contentHash);
      return document !== undefined && isDocumentOf(document, "file") ? document : undefined;
    },
  };
}

function observedBy({ observed_before = [], observed = [] }: DocumentOf<"step">): Observed {
  return [...observed_before, ...observed];
}

function toolcallIdsOf({ messages, changes, changes_before }: DocumentOf<"step">): readonly string[] {
  return [
    ...messages.flatMap((message) => (message.role === "tool" ? [message.object] : [])),
    ...messages.flatMap((message) =>
      message.role === "assistant" ? (message.calls ?? []).flatMap(({ object }) => object ?? []) : [],
    ),
    ...(changes.index?.added ?? []),
    ...(changes_before?.index?.added ?? []),
  ];
}

/** A step names the version it saw by content hash, whoever wrote others since. Most files were written once. */
async function readVersions(
  store: ObjectStore,
  wanted: ReadonlyMap<string, ReadonlySet<string>>,
): Promise<ReadonlyMap<string, ReadonlyMap<string, ObjectDocument>>> {
  const current = await readInParts(store, [...wanted.keys()]);
  const versions = new Map<string, ReadonlyMap<string, ObjectDocument>>();
  for (const [id, hashes] of wanted) {
    const holding = current.get(id);
    const isAll = hashes.size === 1 && holding?.document !== undefined && hashes.has(holding.contentHash);
    versions.set(
      id,
      isAll ? new Map([[holding.contentHash, holding.document]]) : await wantedVersions(store, id, hashes),
    );
  }
  return versions;
}

async function wantedVersions(
  store: ObjectStore,
  id: string,
  hashes: ReadonlySet<string>,
): Promise<ReadonlyMap<string, ObjectDocument>> {
  const versions = new Map<string, ObjectDocument>();
  for await (const { contentHash, document } of everyVersion((page) =>
    store.history(id, { ...page, documents: true }),
  )) {
    if (document !== undefined && hashes.has(contentHash)) versions.set(contentHash, document);
    if (versions.size === hashes.size) break;
  }
  return versions;
}
