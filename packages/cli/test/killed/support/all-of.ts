import { everyVersion, sha256 } from "@cm/object-model";
import { rendererFor } from "@cm/render";
import { listSessions, rebuildPrompts } from "@cm/session";
import { type Finding, isDamage, verifyStore } from "@cm/session/verify";
import { openSqliteStore } from "@cm/store-sqlite";

/** All that a store says, in a form that can be compared. */
export interface All {
  /** Each version as the object's id and the hash of its document, sorted. */
  readonly versions: readonly string[];
  /** By session and step; one that is not what was sent says so. */
  readonly prompts: Readonly<Record<string, string>>;
  readonly damage: readonly Finding[];
}

const types = ["file", "toolcall", "attachment", "step", "keyframe", "session", "chat", "system_prompt"] as const;

export async function allOf(path: string): Promise<All> {
  const store = openSqliteStore({ path });
  const versions: string[] = [];
  const prompts: Record<string, string> = {};
  for (const type of types) {
    for await (const { id } of everyVersion((page) => store.find({ type }, page))) {
      for await (const { document } of everyVersion((page) => store.history(id, { ...page, documents: true }))) {
        versions.push(`${id} ${document === undefined ? "erased" : sha256(JSON.stringify(document))}`);
      }
    }
  }
  for await (const { session } of listSessions(store)) {
    for await (const { n, hash, recordedHash, complete } of rebuildPrompts(store, session, rendererFor)) {
      prompts[`${session} ${n}`] = complete && hash === recordedHash ? hash : `${hash} is not ${recordedHash}`;
    }
  }
  const damage: Finding[] = [];
  for await (const finding of verifyStore(store)) if (isDamage(finding)) damage.push(finding);
  await store.close();
  return { versions: versions.sort(), prompts, damage };
}
