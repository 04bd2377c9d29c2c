import {
  coreDocumentTypes,
  type DocumentOf,
  isCmError,
  isDocumentOf,
  keyframeId,
  type ObjectStore,
  parseDocument,
  type StepAddress,
  type StoredVersion,
} from "@cm/object-model";
import { limits } from "../limits.ts";
import type { FlatState } from "../state/flat-state.ts";
import {
  chainOf,
  flatOf,
  type KeyframeState,
  type KeyframeVersion,
  keyframeVersions,
} from "../state/keyframe-chain.ts";

/** The state that a keyframe holds together with those before it. */
export interface ReadKeyframe {
  /** Of the steps with these keyframes, oldest first. */
  readonly chain: readonly StepAddress[];
  readonly contentHash: string;
  readonly flat: FlatState;
  readonly version: KeyframeVersion;
}

/**
 * The state that a step's keyframe holds together with those that it builds on. Each is named by the hash of its content:
 * the newest by its step, the others by the one after them. Undefined where one of them is not what was written.
 */
export async function readKeyframe(
  store: ObjectStore,
  address: StepAddress,
  contentHash: string,
): Promise<ReadKeyframe | undefined> {
  try {
    const id = keyframeId(address);
    const newest = soundKeyframe((await store.getMany([id])).get(id), contentHash);
    if (newest?.state === undefined) return undefined;
    const own = parsed(newest.state);
    const states: KeyframeState[] = [own];
    const before = chainOf(own, limits.keyframesPerChainMax);
    const found = before.length === 0 ? new Map<string, StoredVersion>() : await store.getMany(before.map(keyframeId));
    const chain: StepAddress[] = [{ session: address.session, n: address.n }];
    for (let link = newest.before; link !== undefined; ) {
      const keyframe = soundKeyframe(found.get(keyframeId(link)), link.content_hash);
      if (keyframe?.state === undefined || states.length > limits.keyframesPerChainMax) return undefined;
      states.push(parsed(keyframe.state));
      chain.push({ session: link.session, n: link.n });
      link = keyframe.before;
    }
    const flat = flatOf(states.reverse());
    return flat === undefined ? undefined : { chain: chain.reverse(), contentHash, flat, version: own.version };
  } catch (error) {
    if (isCmError(error, "store/corrupt") || error instanceof SyntaxError || error instanceof TypeError)
      return undefined;
    throw error;
  }
}

/** Hashed anew, so that a damaged one is none. */
function soundKeyframe(version: StoredVersion | undefined, contentHash: string): DocumentOf<"keyframe"> | undefined {
  if (version?.document === undefined || !isDocumentOf(version.document, "keyframe")) return undefined;
  try {
    const document = parseDocument(version.document, coreDocumentTypes);
    return document.content_hash === contentHash && isDocumentOf(document, "keyframe") ? document : undefined;
  } catch (error) {
    if (isCmError(error)) return undefined;
    throw error;
  }
}

function parsed(state: string): KeyframeState {
  const keyframe = JSON.parse(state) as KeyframeState;
  if (!keyframeVersions.includes(keyframe.version)) throw new TypeError("The keyframe is of another version.");
  return keyframe;
}
