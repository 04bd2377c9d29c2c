import {
  type DocumentOf,
  isDocumentOf,
  keyframeId,
  type ObjectStore,
  type StepAddress,
  stepId,
} from "@cm/object-model";
import { limits } from "../limits.ts";

/** A step on the way back, with the keyframe of the sets after it where there is one. */
export interface StepBack {
  /** Undefined: erased, or missing. Nobody knows what is before it without the heads, so the way ends here. */
  readonly document: DocumentOf<"step"> | undefined;
  readonly keyframe: SetLists | undefined;
}

/** The lists of a keyframe that has them. */
type SetLists = Readonly<Record<"index" | "pool" | "active" | "pinned", readonly string[]>>;

/** Steps from the newest to the first, read as far as they are asked for: they follow parents, also into other sessions. */
export async function* stepsBack(store: ObjectStore, from: StepAddress): AsyncGenerator<StepBack> {
  let block: ReadonlyMap<string, StepBack> = new Map();
  for (let address: StepAddress | null = from; address !== null; ) {
    if (!block.has(stepId(address))) block = await blockBefore(store, address);
    const step = block.get(stepId(address));
    yield step ?? { document: undefined, keyframe: undefined };
    // A number that does not fall could lead in a circle; only verifying the store would tell.
    const parent: StepAddress | null = step?.document?.parent ?? null;
    const isCircle: boolean = parent !== null && parent.session === address.session && parent.n >= address.n;
    address = isCircle ? null : parent;
  }
}

async function blockBefore(store: ObjectStore, { session, n }: StepAddress): Promise<ReadonlyMap<string, StepBack>> {
  const first = Math.max(0, n - limits.stepsBackPerRead + 1);
  const addresses = Array.from({ length: n - first + 1 }, (_, place) => ({ session, n: first + place }));
  const found = await store.getMany(addresses.flatMap((address) => [stepId(address), keyframeId(address)]));
  return new Map(
    addresses.map((address) => {
      const document = found.get(stepId(address))?.document;
      const keyframe = found.get(keyframeId(address))?.document;
      const step = {
        document: document !== undefined && isDocumentOf(document, "step") ? document : undefined,
        keyframe: keyframe !== undefined && isDocumentOf(keyframe, "keyframe") ? listsOf(keyframe) : undefined,
      };
      return [stepId(address), step];
    }),
  );
}

function listsOf({ index, pool, active, pinned }: DocumentOf<"keyframe">): SetLists | undefined {
  if (index === undefined || pool === undefined || active === undefined || pinned === undefined) return undefined;
  return { index, pool, active, pinned };
}
