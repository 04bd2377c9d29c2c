import { LruCache, type StoredVersion } from "@cm/object-model";
import { storeLimits } from "./limits.ts";

/** Last versions of the objects that are read again and again. They are never trusted: see `readKnown`. */
export class KnownVersions {
  /** `asked`: the object was read, and its last version is not known. */
  readonly #versions = new LruCache<StoredVersion | "asked">({ weightMax: storeLimits.versionsKnownCharsMax });

  get(id: string): StoredVersion | undefined {
    const known = this.#versions.get(id);
    return known === "asked" ? undefined : known;
  }

  read(id: string, version: StoredVersion | undefined): void {
    const chars = version?.document?.content?.length ?? 0;
    this.#versions.set(id, version === undefined ? "asked" : copyOf(version), chars + storeLimits.versionFieldsChars);
  }

  /** Most of what is written is never read: only versions of what was asked for are kept. */
  written(id: string, version: () => StoredVersion | undefined): void {
    if (this.#versions.get(id) !== undefined) this.read(id, version());
  }

  forget(id: string): void {
    this.#versions.delete(id);
  }
}

/** With dates of its own: a caller may change those that it was given. */
export function copyOf(version: StoredVersion): StoredVersion {
  const [validTime, transactionTime] = [new Date(version.validTime), new Date(version.transactionTime)];
  return { ...version, validTime, transactionTime };
}
