import {
  chainOf,
  flatOf,
  type KeyframeState,
  type KeyframeVersion,
  keyframeVersions,
  type ListedState,
} from "@cm/context-log/state";
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
  standingId,
} from "@cm/object-model";
import { limits } from "../limits.ts";
import { unpackedField } from "./packed-field.ts";
import { type StandingFlat, type StandingState, standingFlat } from "./standing-data.ts";

/** The state that a keyframe holds together with those before it. */
export interface ReadKeyframe {
  /** Of the steps with these keyframes, oldest first. */
  readonly chain: readonly StepAddress[];
  readonly contentHash: string;
  readonly flat: ListedState;
  readonly version: KeyframeVersion;
}

/** As `KeyframeReader.read`, of one keyframe. */
export function readKeyframe(
  store: ObjectStore,
  address: StepAddress,
  contentHash: string,
): Promise<ReadKeyframe | undefined> {
  return new KeyframeReader(store).read({ address, contentHash });
}

/** What of a state has the same size however long the session is: that is in its newest keyframe alone. */
export async function readKeyframeRest(
  store: ObjectStore,
  address: StepAddress,
  contentHash: string,
): Promise<KeyframeState["rest"] | undefined> {
  const id = keyframeId(address);
  const { state } = soundDocument((await store.getMany([id])).get(id), "keyframe", contentHash) ?? {};
  try {
    return state === undefined ? undefined : parsed(state).rest;
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof TypeError) return undefined;
    throw error;
  }
}

/**
 * What stands in the prompt after a step, from one document: its own, or in sessions of before the step's keyframe.
 * Undefined where that does not say it, or is not sound.
 */
export async function readStanding(
  store: ObjectStore,
  address: StepAddress,
  { keyframe, standing }: Pick<DocumentOf<"step">, "keyframe" | "standing">,
): Promise<StandingFlat | undefined> {
  const id = standing === undefined ? keyframeId(address) : standingId(address);
  const version = (await store.getMany([id])).get(id);
  const found =
    standing === undefined
      ? soundDocument(version, "keyframe", keyframe)
      : soundDocument(version, "standing", standing);
  const read = unpackedField(found?.standing) as StandingState | undefined;
  return read?.version === 1 ? standingFlat(read) : undefined;
}

/** Reads states of one path. Those of an older keyframe are among those of a newer one, so each document is read once. */
export class KeyframeReader {
  readonly #store: ObjectStore;
  /** By id; undefined for what is not there. */
  readonly #versions = new Map<string, StoredVersion | undefined>();
  /** By content hash, which was compared with what was read. */
  readonly #sound = new Map<string, SoundKeyframe>();

  constructor(store: ObjectStore) {
    this.#store = store;
  }

  /**
   * The state that a step's keyframe holds together with those that it builds on. Each is named by the hash of its
   * content: the newest by its step, the others by the one after them. Undefined where one of them is not what was written.
   * @param onto what was read of an older one of the same path
   */
  async read(named: NamedKeyframe, onto?: ReadKeyframe): Promise<ReadKeyframe | undefined> {
    try {
      return await this.#read(named, onto);
    } catch (error) {
      if (isCmError(error, "store/corrupt") || error instanceof SyntaxError || error instanceof TypeError)
        return undefined;
      throw error;
    }
  }

  async #read(
    { address, contentHash }: NamedKeyframe,
    onto: ReadKeyframe | undefined,
  ): Promise<ReadKeyframe | undefined> {
    await this.fetch([address]);
    const newest = this.#keyframe(address, contentHash);
    if (newest === undefined) return undefined;
    const state = parsed(newest.state);
    await this.fetch(chainOf(state, limits.keyframesPerChainMax));
    const older: string[] = [];
    const chain: StepAddress[] = [{ session: address.session, n: address.n }];
    let link = newest.before;
    while (link !== undefined && link.content_hash !== onto?.contentHash) {
      const keyframe = this.#keyframe(link, link.content_hash);
      if (keyframe === undefined || older.length >= limits.keyframesPerChainMax) return undefined;
      older.push(keyframe.state);
      chain.push({ session: link.session, n: link.n });
      link = keyframe.before;
    }
    const built = link === undefined ? undefined : onto;
    const flat = flatOf(state, eachParsed(older.reverse()), built?.flat);
    const whole = [...(built?.chain ?? []), ...chain.reverse()];
    return { chain: whole, contentHash, flat, version: state.version };
  }

  /** Reads the documents of keyframes at once. */
  async fetch(addresses: readonly StepAddress[]): Promise<void> {
    const ids = addresses.map(keyframeId).filter((id) => !this.#versions.has(id));
    if (ids.length === 0) return;
    const found = await this.#store.getMany(ids);
    for (const id of ids) this.#versions.set(id, found.get(id));
  }

  #keyframe(address: StepAddress, contentHash: string): SoundKeyframe | undefined {
    const known = this.#sound.get(contentHash);
    if (known !== undefined) return known;
    const document = soundDocument(this.#versions.get(keyframeId(address)), "keyframe", contentHash);
    if (document?.state === undefined) return undefined;
    const keyframe = { state: document.state, before: document.before };
    this.#sound.set(contentHash, keyframe);
    return keyframe;
  }
}

/** A keyframe as its step names it. */
export interface NamedKeyframe {
  readonly address: StepAddress;
  readonly contentHash: string;
}

/** What of a keyframe's document is used. */
interface SoundKeyframe {
  readonly state: string;
  readonly before: DocumentOf<"keyframe">["before"];
}

/** Hashed anew, so that a damaged one is none. */
function soundDocument<T extends "keyframe" | "standing">(
  version: StoredVersion | undefined,
  type: T,
  contentHash: string | undefined,
): DocumentOf<T> | undefined {
  if (version?.document === undefined || !isDocumentOf(version.document, type)) return undefined;
  try {
    const document = parseDocument(version.document, coreDocumentTypes);
    return document.content_hash === contentHash && isDocumentOf(document, type) ? document : undefined;
  } catch (error) {
    if (isCmError(error)) return undefined;
    throw error;
  }
}

/** One at a time: a parsed state takes more memory than its text, and most of it is garbage at once. */
function* eachParsed(states: readonly string[]): Generator<KeyframeState> {
  for (const state of states) yield parsed(state);
}

function parsed(state: string): KeyframeState {
  const keyframe = JSON.parse(state) as KeyframeState;
  if (!keyframeVersions.includes(keyframe.version)) throw new TypeError("The keyframe is of another version.");
  return keyframe;
}
