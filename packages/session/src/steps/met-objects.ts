import { type DocumentOf, isDocumentOf, type ObjectStore } from "@cm/object-model";
import type { StepObjects } from "../state/advance.ts";
import type { FileInSight } from "../state/session-state.ts";
import { readInParts } from "./read-in-parts.ts";
import { readShownVersions } from "./read-shown-versions.ts";

export interface Wanted {
  readonly toolcalls: readonly string[];
  readonly files: readonly (readonly [string, FileInSight])[];
}

/** Documents that another writer brings. They are kept from one attempt to the next, so that each is read once. */
export class MetObjects {
  #toolcalls: ReadonlyMap<string, DocumentOf<"toolcall">> = new Map();
  #files: ReadonlyMap<string, DocumentOf<"file">> = new Map();
  #newest = 0;

  /** How many the newest call had to read. */
  get newest(): number {
    return this.#newest;
  }

  /** Those that are wanted now; all others are forgotten. One that was erased is undefined. */
  async read(store: ObjectStore, { toolcalls, files }: Wanted): Promise<StepObjects> {
    const missing = toolcalls.filter((id) => !this.#toolcalls.has(id));
    const versions = files
      .filter(([file, { contentHash }]) => !this.#files.has(`${file} ${contentHash}`))
      .map(([file, { contentHash }]) => ({ file, contentHash, from: 0, to: 0 }));
    const ids = [...missing, ...versions.map(({ file }) => file)];
    this.#newest = ids.length;
    const found = ids.length === 0 ? new Map() : await readInParts(store, ids);
    const shown = await readShownVersions(store, [], { versions, found });
    const read = (id: string): DocumentOf<"toolcall"> | undefined => {
      const document = found.get(id)?.document;
      return document !== undefined && isDocumentOf(document, "toolcall") ? document : undefined;
    };
    this.#toolcalls = kept(toolcalls, (id) => this.#toolcalls.get(id) ?? read(id));
    this.#files = kept(
      files.map(([file, { contentHash }]) => `${file} ${contentHash}`),
      (key) => {
        const [file = "", contentHash = ""] = key.split(" ");
        return this.#files.get(key) ?? shown.get(file)?.get(contentHash);
      },
    );
    const [toolcallsById, filesByVersion] = [this.#toolcalls, this.#files];
    return {
      toolcall: (id) => toolcallsById.get(id),
      file: (id, contentHash) => filesByVersion.get(`${id} ${contentHash}`),
    };
  }
}

function kept<T>(keys: readonly string[], of: (key: string) => T | undefined): ReadonlyMap<string, T> {
  return new Map(
    keys.flatMap((key) => {
      const document = of(key);
      return document === undefined ? [] : [[key, document] as const];
    }),
  );
}
