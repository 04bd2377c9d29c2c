import type { FlatRecalled, FlatResumed } from "@cm/context-log/state";
import { type Basis, type DocumentOf, isDocumentOf, type ObjectStore, stepId, toolcallsIn } from "@cm/object-model";
import { type FlatPlaces, Unfit, unfit } from "../keyframe/flat-places.ts";
import { wantedSteps } from "../keyframe/wanted-steps.ts";
import { readInParts } from "../path/read-in-parts.ts";
import { type FileVersions, readShownVersions } from "../path/step-objects.ts";

/** The documents whose texts a flat state names: of steps, tool calls, and files in sight. */
export class NamedTexts {
  readonly steps = new Map<number, DocumentOf<"step">>();
  readonly toolcalls = new Map<string, DocumentOf<"toolcall">>();
  readonly sources = new Map<string, DocumentOf<"file">>();
  readonly #places: FlatPlaces;
  #files: FileVersions = new Map();

  constructor(places: FlatPlaces) {
    this.#places = places;
  }

  readonly file = (id: string, hash: string): DocumentOf<"file"> | undefined => this.#files.get(id)?.get(hash);

  /** @param at the transaction of the keyframe: then most files in sight were what it says */
  async read(store: ObjectStore, at: Basis): Promise<void> {
    await this.#readSteps(store);
    await this.#readObjects(store, at);
  }

  async #readSteps(store: ObjectStore): Promise<void> {
    const wanted = wantedSteps(this.#places);
    const found = await readInParts(
      store,
      wanted.map((place) => stepId(this.#places.row(place).address)),
    );
    for (const place of wanted) {
      const { address, contentHash } = this.#places.row(place);
      const version = found.get(stepId(address));
      const document = version?.document;
      if (document === undefined || version?.contentHash !== contentHash || !isDocumentOf(document, "step"))
        throw new Unfit();
      this.steps.set(place, document);
    }
  }

  async #readObjects(store: ObjectStore, at: Basis): Promise<void> {
    const { tables } = this.#places.flat;
    const toolcalls = new Set<string>();
    for (const document of this.steps.values()) for (const id of toolcallsIn(document.messages)) toolcalls.add(id);
    for (const [place, [kind, id]] of this.#places.named()) {
      if (kind === "t" && !tables.dropped.has(place)) toolcalls.add(id);
    }
    const versions = new Map<string, { readonly file: string; readonly contentHash: string }>();
    const want = (file: string, contentHash: string | null | undefined): void => {
      if (contentHash != null) versions.set(`${file} ${contentHash}`, { file, contentHash });
    };
    for (const [key, seen] of tables.inSight) want(this.#places.id(key), (seen as readonly [string])[0]);
    for (const [noteAt, note] of tables.notes) this.#wantTold(noteAt as number, note as never, { want, toolcalls });
    const files = new Set([...versions.values()].map(({ file }) => file));
    const [calls, found] = await Promise.all([readInParts(store, [...toolcalls]), readInParts(store, [...files], at)]);
    for (const id of toolcalls) {
      const document = calls.get(id)?.document;
      if (document !== undefined && isDocumentOf(document, "toolcall")) this.toolcalls.set(id, document);
      if (this.toolcalls.has(id) === this.#places.erased.has(id)) throw new Unfit();
    }
    const shown = [...versions.values()].map((version) => ({ ...version, from: 0, to: 0 }));
    this.#files = await readShownVersions(store, [], { versions: shown, found });
    for (const [file, byHash] of this.#files) {
      for (const document of byHash.values()) if (document !== undefined) this.sources.set(file, document);
    }
  }

  #wantTold(
    at: number,
    note: FlatRecalled | FlatResumed,
    {
      want,
      toolcalls,
    }: { readonly want: (file: string, hash: string | null | undefined) => void; readonly toolcalls: Set<string> },
  ): void {
    if (note.length === 8) {
      const [, object, , , , hash] = note;
      if (hash !== null) want(object, hash);
      else if (!this.#places.erased.has(object)) toolcalls.add(object);
      return;
    }
    if (note.length !== 3) return;
    const observed = this.steps.get(this.#places.stepOf(at))?.resumed?.observed ?? [];
    for (const [place, [, before]] of note[1].entries()) {
      const { file, succeeds = file, content_hash: after } = observed[place] ?? unfit();
      want(succeeds, before);
      want(file, after);
    }
  }
}
