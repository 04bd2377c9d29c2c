import type { Prices } from "@cm/context-log";
import {
  ContextLog,
  type FlatState,
  flatState,
  type KeyframeBase,
  keyframeBase,
  keyframeRequests,
  keyframeState,
  type LogState,
  memberList,
  type StepObjects,
} from "@cm/context-log/state";
import {
  canonicalJson,
  type DocumentOf,
  defined,
  isCmError,
  type JsonValue,
  keyframeId,
  type PayloadOf,
  sealDocument,
  sessionObjectId,
  standingId,
} from "@cm/object-model";
import { packedField } from "./packed-field.ts";
import type { StandingState } from "./standing-data.ts";
import { standingState } from "./standing-state.ts";

export interface PlannedKeyframe {
  readonly document: DocumentOf<"keyframe">;
  /** What the next one builds on, once the step is written; undefined where the document has no state. */
  readonly base: KeyframeBase | undefined;
  /** What stands in the prompt, where there is less of it than of what left. */
  readonly standing: DocumentOf<"standing"> | undefined;
}

export interface KeyframeParts {
  readonly objects: StepObjects;
  readonly prices: Prices;
  /** Whether it lists the sets in full, and whether it holds the state. */
  readonly lists: boolean;
  readonly holdsState: boolean;
}

/**
 * What a session knows after a step (SSOT 3.8). A session of more objects than a document can list goes on without.
 * @param step as it will be written, but for the hash of its keyframe
 */
export function plannedKeyframe(
  state: LogState,
  step: DocumentOf<"step">,
  { objects, prices, lists, holdsState }: KeyframeParts,
): PlannedKeyframe | undefined {
  if (!lists && !holdsState) return undefined;
  const after = holdsState ? flatAfter(state, step, { objects, prices }) : undefined;
  const before = state.keyframe;
  const document = sealed(state, step, {
    ...(lists ? setLists(state, step) : {}),
    ...(after === undefined ? {} : stateFields(after, before)),
    ...(after === undefined || before === undefined ? {} : { before: linkOf(before) }),
  });
  if (document !== undefined)
    return {
      document,
      base: after && keyframeBase(after, document.content_hash),
      standing: after?.standing && standingDocument(state, step, after.standing),
    };
  // What one of the two is too long for may have room for the other.
  if (!lists || after === undefined) return undefined;
  return (
    plannedKeyframe(state, step, { objects, prices, lists: false, holdsState }) ??
    plannedKeyframe(state, step, { objects, prices, lists, holdsState: false })
  );
}

/** What the state is in changes, and beside it what its requests were. */
function stateFields({ flat, requests }: FlatAfter, before: KeyframeBase | undefined) {
  return {
    state: canonicalJson(keyframeState(flat, before)),
    ...defined({ requests: requests === undefined ? undefined : packedField(requests) }),
  };
}

function standingDocument(
  { session }: LogState,
  { n }: DocumentOf<"step">,
  state: StandingState,
): DocumentOf<"standing"> | undefined {
  const standing = packedField(state as unknown as JsonValue);
  if (standing === undefined) return undefined;
  return sealDocument(
    { type: "standing", id: standingId({ session, n }) },
    { content: null, session_ref: sessionObjectId(session), n, standing },
  );
}

type Content = Pick<PayloadOf<"keyframe">, "state" | "requests" | "before"> & Partial<ReturnType<typeof setLists>>;

function sealed(
  { session }: LogState,
  { n }: DocumentOf<"step">,
  content: Content,
): DocumentOf<"keyframe"> | undefined {
  if (Object.keys(content).length === 0) return undefined;
  try {
    return sealDocument(
      { type: "keyframe", id: keyframeId({ session, n }) },
      { content: null, session_ref: sessionObjectId(session), n, ...content },
    );
  } catch (error) {
    if (isCmError(error, "model/limit")) return undefined;
    throw error;
  }
}

interface FlatAfter {
  readonly chain: KeyframeBase["chain"];
  readonly flat: FlatState;
  /** Since the keyframe before; undefined where they are not all known. */
  readonly requests: ReturnType<typeof keyframeRequests>;
  readonly standing: StandingState | undefined;
}

/** The state as it will be after the step: worked out on a copy, since nothing is written yet. */
function flatAfter(
  state: LogState,
  step: DocumentOf<"step">,
  { objects, prices }: Pick<KeyframeParts, "objects" | "prices">,
): FlatAfter | undefined {
  const log = ContextLog.copyOf(state);
  log.apply({ event: "finished", step, objects, prices });
  const { state: after } = log;
  const flat = flatState(after, state.chain);
  if (flat === undefined || after.head === null) return undefined;
  const requests = keyframeRequests(after, state.keyframe?.chain.at(-1));
  const standing = standingState(flat, after);
  return { chain: [...(state.keyframe?.chain ?? []), after.head], flat, requests, standing };
}

function linkOf({ chain, contentHash }: KeyframeBase) {
  const { session = "", n = 0 } = chain.at(-1) ?? {};
  return { session, n, content_hash: contentHash };
}

function setLists({ sets }: LogState, { changes }: DocumentOf<"step">) {
  const index = memberList(sets, "index", changes);
  // In the index's order: that of the others is their history, which a resumed session does not have.
  const list = (name: Parameters<typeof memberList>[1]) => {
    const members = new Set(memberList(sets, name, changes));
    return index.filter((id) => members.has(id));
  };
  return {
    index: [...index],
    pool: list("pool"),
    active: list("active"),
    pinned: list("pinned"),
    dismissed: list("dismissed"),
    requested: list("requested"),
  };
}
