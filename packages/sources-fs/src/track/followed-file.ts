import type { FilesystemBinding, Tracked } from "@cm/object-model";
import { type FileFact, fileFact } from "./file-fact.ts";
import type { Scannable } from "./settle-loop.ts";
import { nextStatus, type TrackingEvent, type TrackingStatus } from "./transitions.ts";

/** What a file knows of its folder. */
export interface WatchedFolder {
  readonly watched: boolean;
  /** Watches it where it is not, and looks whether the watch is still on it. */
  check(): Promise<void>;
}

/** One followed binding. It holds no content; `fact` is what the file's attributes were when it was last hinted. */
export class FollowedFile implements Scannable {
  readonly binding: FilesystemBinding;
  readonly #onHint: (binding: FilesystemBinding) => void;
  /** The local path of the file; undefined while the source does not know it. */
  place: { readonly path: string; readonly folder: WatchedFolder } | undefined;
  fact: FileFact | undefined;
  status: TrackingStatus = { state: "unchecked" };

  constructor(binding: FilesystemBinding, onHint: (binding: FilesystemBinding) => void) {
    this.binding = binding;
    this.#onHint = onHint;
  }

  happened(event: TrackingEvent): void {
    this.status = nextStatus(this.status, event);
  }

  tracked(): Tracked<FilesystemBinding> {
    return { binding: this.binding, ...this.status };
  }

  async scan(): Promise<void> {
    // The attributes first: a change between this line and the hint differs from them and is found by comparison.
    if (this.place !== undefined) this.fact = await fileFact(this.place.path);
    try {
      this.#onHint(this.binding);
    } catch {
      // A listener's fault is its own; the other files are still followed.
    }
  }
}
