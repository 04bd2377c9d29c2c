import type { KnownState, Observation } from "@cm/object-model";
import { limits } from "../limits.ts";
import type { KnownFile } from "./known-file.ts";
import { noAnswer } from "./scan.ts";
import { ScanQueue } from "./scan-queue.ts";

/** The files that this client met, in that order, with what it saw of them. */
export class KnownFiles {
  readonly #files = new Map<string, KnownFile>();
  #all = new ScanQueue();

  get(id: string): KnownFile | undefined {
    return this.#files.get(id);
  }

  /** `exists` says nothing that a later look could be compared with, and is not kept. */
  remember(
    { id, binding }: Pick<KnownFile, "id" | "binding">,
    observation: Observation,
    { inStore, nowMs }: { readonly inStore: boolean; readonly nowMs: number },
  ): void {
    const before = this.#files.get(id);
    const wasOrphaned = before?.wasOrphaned ?? false;
    const at = { id, binding, wasOrphaned, inStore, lookAgainAtMs: nowMs };
    switch (observation.kind) {
      case "present": {
        const { sourceHash, state } = observation;
        this.#set({ ...at, last: "present", reached: true, sourceHash, state });
        break;
      }
      case "unchanged":
        if (before !== undefined && !saysNothingNew(before, observation.state, inStore)) {
          const { reason: _reason, ...rest } = before;
          this.#set({ ...rest, last: "present", state: observation.state, inStore });
        }
        break;
      case "absent":
        this.#set({ ...at, last: "absent", reached: true, wasOrphaned: true });
        break;
      case "unreachable":
        this.#set({
          ...at,
          reached: false,
          ...before,
          last: "unreachable",
          wasOrphaned: true,
          reason: observation.reason,
          lookAgainAtMs: observation === noAnswer ? nowMs + limits.lookAgainMs : nowMs,
        });
    }
  }

  /** These are not looked at any more. */
  forget(ids: readonly string[]): void {
    const known = ids.filter((id) => this.#files.delete(id));
    if (known.length === 0) return;
    this.#all = new ScanQueue();
    for (const file of this.#files.values()) this.#all.set(file);
  }

  /** The store has what was last seen. */
  confirm(id: string): void {
    const file = this.#files.get(id);
    if (file?.inStore === false) this.#set({ ...file, inStore: true });
  }

  /** Files that a sweep looks at: those that could be looked at before. */
  within(ids: Iterable<string> | undefined, nowMs: number): ScanQueue {
    if (ids === undefined && this.#all.isReached) return this.#all;
    const files = ids === undefined ? this.#files.values() : [...ids].flatMap((id) => this.#files.get(id) ?? []);
    const list = new ScanQueue();
    for (const file of files) if (file.reached && nowMs >= file.lookAgainAtMs) list.set(file);
    return list;
  }

  #set(file: KnownFile): void {
    this.#files.set(file.id, file);
    this.#all.set(file);
  }
}

/** So it is for nearly every file, at every look. */
function saysNothingNew(before: KnownFile, state: KnownState, inStore: boolean): boolean {
  return (
    before.last === "present" && before.reason === undefined && before.state === state && before.inStore === inStore
  );
}
