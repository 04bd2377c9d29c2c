import {
  type DocumentOf,
  everyVersion,
  isDocumentOf,
  keyframeId,
  type ObjectStore,
  sessionOfReference,
} from "@cm/object-model";
import type { SessionState } from "../state/session-state.ts";
import type { Finding } from "./finding.ts";

/** The numbers of a session's steps that have a keyframe. */
export async function keyframesOf(store: ObjectStore, session: string): Promise<Set<number>> {
  const numbers = new Set<number>();
  for await (const { id } of everyVersion((page) => store.find({ session, type: "keyframe" }, page))) {
    numbers.add(Number(id.slice(id.lastIndexOf(":") + 1)));
  }
  return numbers;
}

/** Holds the keyframe of a step against the sets after it. */
export async function checkKeyframe(
  store: ObjectStore,
  at: { readonly session: string; readonly n: number },
  state: SessionState,
): Promise<readonly Finding[]> {
  const id = keyframeId(at);
  const document = (await store.getMany([id])).get(id)?.document;
  if (document === undefined || !isDocumentOf(document, "keyframe")) return [];
  const wrong = wrongSets(document, state);
  const isOwn = sessionOfReference(document.session_ref) === at.session && document.n === at.n;
  if (wrong.length === 0 && isOwn) return [];
  const detail = isOwn ? `not the sets that the steps make: ${wrong.join(", ")}` : "of another step";
  return [{ id, type: "keyframe", problem: "keyframe", detail }];
}

const names = ["index", "pool", "active", "pinned", "dismissed", "requested"] as const;

function wrongSets(keyframe: DocumentOf<"keyframe">, { sets }: SessionState): readonly string[] {
  // One that holds the state alone.
  if (names.every((name) => keyframe[name] === undefined)) return [];
  const index = [...sets.index];
  return names.filter((name) => {
    const members = index.filter((id) => sets[name].has(id));
    const listed = keyframe[name] ?? [];
    return members.length !== listed.length || members.some((id, place) => listed[place] !== id);
  });
}
