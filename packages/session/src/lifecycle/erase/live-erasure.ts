import type { ViewObject } from "@cm/context-log";
import { baseAfterErasure, type ContextLog, type LogState, type StepObjects } from "@cm/context-log/state";
import type { EraseReceipt, ObjectStore, StoredVersion } from "@cm/object-model";
import { readInParts, readWanted, type SessionHeads, type SystemPromptText } from "@cm/step-log/load";
import { sessionError } from "../../errors.ts";
import type { FileIndex } from "../../files/file-index.ts";
import type { FileWatch } from "../../files/file-watch.ts";
import { limits } from "../../limits.ts";
import type { OpenStep } from "../../step/open-step.ts";
import type { StepWriter } from "../../step/step-writer.ts";
import { eraseObjects } from "./erase-objects.ts";

/** What an open session loaded its state with once more. */
export interface LoadedAgain {
  readonly log: ContextLog;
  /** The system prompt in the store; undefined where it was erased. */
  readonly systemPrompt: SystemPromptText;
  readonly file: StepObjects["file"];
}

interface LiveErasureOptions {
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
    loaded.log.apply({ event: "keyframe", base: state.keyframe && baseAfterErasure(state.keyframe) });
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

interface NamingContext {
  readonly store: ObjectStore;
  readonly state: LogState;
  readonly step: Pick<OpenStep, "attachments">;
  /** What names stood for in earlier calls: an erased file has no path, and a call whose answer was lost comes again. */
  readonly before: Map<string, readonly string[]>;
}

/**
 * The ids of what a caller names to be erased: by alias, by id, or by a path as the agent sees it, which names every file
 * that is shown under it. What the store alone knows counts, too: `holdersOf` names such ids.
 * @throws CmError `session/unknown-object`, or what the store throws
 */
export async function namedObjects(
  named: readonly string[],
  { store, state, step, before }: NamingContext,
): Promise<readonly string[]> {
  const { aliases, objects, successions } = state;
  const files = filesByPath(objects.values());
  const here = new Map(
    named.map((name) => {
      const id = aliases.resolve(name);
      const ids = objects.has(id) ? [id] : (files.get(name) ?? before.get(name) ?? []);
      // To the caller that names it, it is one file, from whichever machine its texts are.
      return [name, [...new Set(ids.flatMap((one) => [one, ...successions.olderThan(one)]))]] as const;
    }),
  );
  const elsewhere = [...here.keys()].filter((name) => here.get(name)?.length === 0 && !step.attachments.has(name));
  const stored = await readInParts(store, elsewhere);
  const unknown = elsewhere.filter((name) => !stored.has(name));
  if (unknown.length > 0) throw unknownObjects(state.session, unknown);
  for (const [name, ids] of here) if (ids.length > 0) before.set(name, ids);
  return [...new Set([...here].flatMap(([name, ids]) => (ids.length > 0 ? ids : [name])))];
}

/** The files that are shown under each path; one that was erased has none. */
function filesByPath(objects: Iterable<ViewObject>): ReadonlyMap<string, readonly string[]> {
  const files = new Map<string, string[]>();
  for (const { id, kind, path = "" } of objects) {
    if (kind !== "file" || path === "") continue;
    const sharing = files.get(path);
    if (sharing === undefined) files.set(path, [id]);
    else sharing.push(id);
  }
  return files;
}

function unknownObjects(session: string, names: readonly string[]) {
  const { unknownShownMax, unknownShownCharsMax } = limits;
  const unknown = names.slice(0, unknownShownMax).map((name) => JSON.stringify(name.slice(0, unknownShownCharsMax)));
  const more = names.length > unknownShownMax ? ` and ${names.length - unknownShownMax} more` : "";
  return sessionError(
    "session/unknown-object",
    `Nothing was erased: session ${session} knows no ${unknown.join(", ")}${more}. Give ids, aliases or paths of it.`,
    { session, unknown, count: names.length },
  );
}
