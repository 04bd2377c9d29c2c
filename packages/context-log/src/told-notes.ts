import type { JsonValue } from "@cm/object-model";
import type { NotePlace } from "./entry-place.ts";

// Notes that a decision tells the agent once. All that the rest of this package and a session need of a kind is here: its
// entry, the fields of the decision that say it, and its row in the table. How it reads is the renderer's.

/** Told once: pinned objects that the window forced out, and that have no pin any more. */
export interface ReleasedEntry extends NotePlace {
  readonly kind: "released";
  readonly objects: readonly string[];
}

export type ToldEntry = ReleasedEntry;

/** The fields of a decision that are told. A step records them, and its notes are made of them again. */
export interface ToldFields {
  /** Pinned objects that the window forces out: they lose their pin, and a note says so. */
  readonly release?: readonly string[];
}

type Said<Entry extends ToldEntry> = Omit<Entry, "kind" | keyof NotePlace>;

interface ToldKind<Entry extends ToldEntry> {
  /** What the entry says; undefined where there is nothing to tell. */
  readonly says: (told: ToldFields) => Said<Entry> | undefined;
  /** What the fields name that they may not, in words that follow "The policy's decision names". */
  readonly fault: (told: ToldFields, pinned: ReadonlySet<string>) => string | undefined;
}

/** In the order in which they stand. */
const toldKinds: { readonly [Kind in ToldEntry["kind"]]: ToldKind<Extract<ToldEntry, { readonly kind: Kind }>> } = {
  released: {
    says: ({ release: objects = [] }) => (objects.length === 0 ? undefined : { objects }),
    fault: ({ release = [] }, pinned) =>
      release.every((id) => pinned.has(id)) ? undefined : "a pin that is not there",
  },
};

const kinds = Object.keys(toldKinds) as readonly ToldEntry["kind"][];

export const isTold = <Entry extends { readonly kind: string }>(entry: Entry): entry is Entry & ToldEntry =>
  Object.hasOwn(toldKinds, entry.kind);

/** The notes that a decision tells. @param place of the first one; the others follow it */
export function toldEntries(told: ToldFields, place: NotePlace): readonly ToldEntry[] {
  const said = kinds.flatMap((kind) => {
    const says = toldKinds[kind].says(told);
    return says === undefined ? [] : [{ kind, says }];
  });
  return said.map(({ kind, says }, number) => ({ kind, ...place, at: place.at + number, ...says }) as ToldEntry);
}

export function toldFault(told: ToldFields, pinned: ReadonlySet<string>): string | undefined {
  return kinds.map((kind) => toldKinds[kind].fault(told, pinned)).find((fault) => fault !== undefined);
}

/** What a keyframe says of such a note: all else is in the decision of its step. */
export type FlatTold = readonly [into: number] | readonly [into: number, kind: string];

export function flatTold({ kind, into }: ToldEntry): JsonValue {
  // Keyframes of before knew this kind alone.
  return kind === "released" ? [into] : [into, kind];
}

/** The note again; undefined where the decision tells no such thing. */
export function toldAgain(
  [into, kind = "released"]: FlatTold,
  told: ToldFields,
  place: Omit<NotePlace, "into">,
): ToldEntry | undefined {
  const entry = toldEntries(told, { ...place, into }).find((one) => one.kind === kind);
  return entry === undefined ? undefined : { ...entry, at: place.at };
}
