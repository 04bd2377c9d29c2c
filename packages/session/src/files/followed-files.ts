import type { Source, SourceBinding, Tracked, Tracker, TrackingState } from "@cm/object-model";
import type { KnownFile } from "./known-file.ts";
import { fileIdOf } from "./touches.ts";

/** How far this client follows a file (SSOT 5.9). */
export interface FileTracking {
  readonly id: string;
  readonly state: TrackingState;
  /** Why it is orphaned. */
  readonly reason?: string;
}

/** The trackers of one client. What they say is a hint to look again; their states are never written into objects. */
export class FollowedFiles {
  readonly #trackers = new Map<string, Tracker>();
  readonly #followed = new Set<string>();

  constructor(sources: readonly Source[], onHint: (id: string) => void) {
    for (const source of sources) {
      const tracker = source.track?.((binding) => onHint(fileIdOf({ binding })));
      if (tracker !== undefined) this.#trackers.set(source.type, tracker);
    }
  }

  /** Follows the files that somebody could look at; one that is followed already costs nothing. */
  follow(files: readonly KnownFile[]): void {
    const added = files.filter(({ id, reached }) => reached && !this.#followed.has(id));
    for (const { id } of added) this.#followed.add(id);
    for (const [type, group] of Map.groupBy(added, ({ binding }) => binding.type)) {
      // A tracker that cannot follow says so in its states; the sweep looks at these files in any case.
      this.#trackers
        .get(type)
        ?.follow(group.map(bindingOf))
        .catch(() => undefined);
    }
  }

  /** The state of each of these files, as this client knows it now. */
  states(files: readonly { readonly id: string; readonly known: KnownFile | undefined }[]): readonly FileTracking[] {
    const tracked = new Map<string, Tracked>();
    for (const tracker of this.#trackers.values()) {
      for (const one of tracker.states()) tracked.set(fileIdOf(one), one);
    }
    return files.map(({ id, known }) => stateOf(id, known, tracked.get(id)));
  }

  async close(): Promise<void> {
    await Promise.all([...this.#trackers.values()].map((tracker) => tracker.close()));
  }
}

function stateOf(id: string, known: KnownFile | undefined, tracked: Tracked | undefined): FileTracking {
  if (known === undefined) return { id, state: "unchecked" };
  const reason = orphanedBy(known, tracked);
  if (reason !== undefined) return { id, state: "orphaned", reason };
  const state = tracked?.state ?? "unchecked";
  return { id, state: state === "attached" && known.wasOrphaned ? "resumed" : state };
}

function orphanedBy({ last, reason }: KnownFile, tracked: Tracked | undefined): string | undefined {
  if (last === "absent") return "gone";
  if (last === "unreachable") return reason;
  if (tracked === undefined) return "no tracker";
  return tracked.state === "orphaned" ? (tracked.reason ?? "no tracker") : undefined;
}

function bindingOf({ binding }: KnownFile): SourceBinding {
  return binding;
}
