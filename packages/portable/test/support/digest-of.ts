import { createHash } from "node:crypto";
import { canonicalJson, coreDocumentTypes, everyVersion, type ObjectStore } from "@cm/object-model";
import { rendererFor } from "@cm/render";
import { listSessions, rebuildPrompts } from "@cm/session";

export interface StoreDigest {
  readonly versions: number;
  readonly prompts: number;
  readonly promptChars: number;
  /** Prompts that are other bytes than were sent. */
  readonly changed: number;
  /** Over every version with both times, and over every past prompt. */
  readonly sha256: string;
}

/** All that a store has, however large it is: bases and tokens aside, which are each store's own. */
export async function digestOf(store: ObjectStore): Promise<StoreDigest> {
  const all = createHash("sha256");
  const counts = { versions: 0, prompts: 0, promptChars: 0, changed: 0 };
  for (const { type } of coreDocumentTypes) {
    for await (const { id } of everyVersion((page) => store.find({ type }, page))) {
      for await (const version of everyVersion((page) => store.history(id, { ...page, documents: true }))) {
        const { contentHash, validTime, transactionTime, document } = version;
        const times = [validTime, transactionTime].map((time) => time.getTime());
        all.update(canonicalJson([id, contentHash, times, document ?? null]));
        counts.versions += 1;
      }
    }
  }
  for await (const { session } of listSessions(store)) {
    for await (const rebuilt of rebuildPrompts(store, session, rendererFor)) {
      const text = JSON.stringify(rebuilt.prompt);
      all.update(text);
      counts.prompts += 1;
      counts.promptChars += text.length;
      if (rebuilt.hash !== rebuilt.recordedHash) counts.changed += 1;
    }
  }
  return { ...counts, sha256: all.digest("hex") };
}
