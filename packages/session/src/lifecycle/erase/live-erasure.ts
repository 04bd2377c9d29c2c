import type { LogState } from "@cm/context-log/state";
import type { EraseReceipt, ObjectStore, StoredVersion } from "@cm/object-model";
import type { FileIndex } from "../../files/file-index.ts";
import type { FileWatch } from "../../files/file-watch.ts";
import type { SessionHeads } from "../../history/read-path.ts";
import { readWanted } from "../../history/read-wanted.ts";
import type { StepWriter } from "../../step/step-writer.ts";
import { eraseObjects } from "./erase-objects.ts";
import type { LoadedAgain } from "./load-again.ts";

export interface LiveErasureOptions {
  readonly store: ObjectStore;
  readonly writer: StepWriter;
  readonly watch: FileWatch;
  readonly loadAgain: (heads: SessionHeads) => Promise<LoadedAgain>;
  readonly files: FileIndex;
}

/**
 * Erases while a session is open. Its copies of the text go with its whole state, which is loaded again from the store;
 * what no step says yet is taken in once more. An open request is given up: it may show what was erased. Should the
 * loading fail, the session's next call tries it again first.
 */
export class LiveErasure {
  readonly #options: LiveErasureOptions;
  readonly #asked = new Set<string>();
  #isDue = false;

  constructor(options: LiveErasureOptions) {
    this.#options = options;
  }

  /** @throws what the store throws; whether it erased or not, asking again is safe */
  async erase(ids: readonly string[], reason: string): Promise<EraseReceipt> {
    // An answer that is lost may have been a yes.
    this.#isDue = true;
    for (const id of ids) this.#asked.add(id);
    const receipt = await eraseObjects(this.#options.store, ids, reason);
    await this.settle();
    return receipt;
  }

  /** Loads the state again where that is due. @throws what the store throws; called again, it tries again */
  async settle(): Promise<void> {
    if (!this.#isDue) return;
    const { store, writer, watch, loadAgain } = this.#options;
    const { step: before, state } = writer;
    before.giveUpRequest();
    const loaded = await loadAgain(writer.heads);
    // The next keyframe says what is gone.
    loaded.log.apply({ event: "keyframe", base: state.keyframe });
    const objects = await readWanted(store, before.wanted);
    const gone = await this.#goneOf([...before.attachments.keys(), ...watch.found]);
    // Nothing below fails.
    watch.forget(gone);
    writer.restart(loaded);
    writer.step.transferFrom(before, objects, gone);
    this.#lookAgainFor(loaded, state.inSight);
    this.#asked.clear();
    this.#isDue = false;
  }

  /** What an erased step had seen is out of sight: the next look compares with the version that is in sight now. */
  #lookAgainFor({ log, file }: LoadedAgain, before: LogState["inSight"]): void {
    const { files } = this.#options;
    for (const [id, { contentHash }] of log.state.inSight) {
      const document = before.get(id)?.contentHash === contentHash ? undefined : file(id, contentHash);
      if (document !== undefined) files.resume(document);
    }
  }

  /** Those that were asked for or are erased, whatever else the erasure took. */
  async #goneOf(ids: readonly string[]): Promise<ReadonlySet<string>> {
    const found = ids.length === 0 ? new Map<string, StoredVersion>() : await this.#options.store.getMany(ids);
    return new Set(ids.filter((id) => this.#asked.has(id) || found.get(id)?.erased !== undefined));
  }
}
