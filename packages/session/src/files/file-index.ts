import type { FileTouch } from "@cm/context-log";
import {
  type DocumentOf,
  defined,
  isCmError,
  type KnownState,
  locationOf,
  limits as modelLimits,
  type ObjectStore,
  type Observation,
  type Source,
  type SourceBinding,
} from "@cm/object-model";
import { sessionError } from "../errors.ts";
import type { Redactor } from "../input/clean.ts";
import { limits } from "../limits.ts";
import { isNews, type KnownFile, KnownFiles, PrefetchScan } from "./known-files.ts";
import { atHome, looksAt, type Met, notHere, type OwnFile, OwnPlaces, versionOf } from "./met-files.ts";
import { lookAgain, lookAt, noAnswer } from "./scan.ts";
import { commitFiles, HiddenWrites, type NewestWrites, readStoredFiles } from "./stored-files.ts";
import { fileIdOf, type IndexedFile, strongestTouches } from "./touches.ts";

interface FileIndexOptions {
  readonly redact?: Redactor | undefined;
  /** Milliseconds since the epoch. */
  readonly now?: (() => number) | undefined;
}

/** The indexing protocol over a client's sources (SSOT 5.6), the same for every kind of source. */
export class FileIndex {
  readonly #store: ObjectStore;
  readonly #sources: ReadonlyMap<string, Source>;
  readonly #redact: Redactor | undefined;
  readonly #now: () => number;
  readonly #known = new KnownFiles();
  readonly #hidden = new HiddenWrites();
  readonly #places = new OwnPlaces((binding) => this.#ownOf(binding));

  constructor(store: ObjectStore, sources: readonly Source[], { redact, now = Date.now }: FileIndexOptions = {}) {
    this.#store = store;
    this.#sources = new Map(sources.map((source) => [source.type, source]));
    this.#redact = redact;
    this.#now = now;
  }

  /** What this client last saw of a file. */
  known(id: string): KnownFile | undefined {
    return this.#known.get(id);
  }

  /** The path of a binding as the agent sees it, where that is not the canonical one. */
  displayOf(binding: SourceBinding): string | undefined {
    return this.#displayOf(this.#parsed(binding));
  }

  /** The path of a binding as the agent sees it today; undefined where no source of this client can tell. */
  pathNow(binding: SourceBinding): string | undefined {
    const parsed = this.#parsed(binding);
    return parsed === undefined ? undefined : (this.#displayOf(parsed) ?? locationOf(binding).path);
  }

  /** The store has what was planned to be written for these files. */
  confirm(ids: Iterable<string>): void {
    for (const id of ids) this.#known.confirm(id);
  }

  /** What was to be done with these files failed: what was seen of them, also of others' versions, the next sweep finds again. */
  failed(ids: Iterable<string>): void {
    for (const id of ids) this.#known.doubt(id);
  }

  /**
   * A file version that another client saw: the next sweep looks whether it still holds.
   * @param kept what this client kept of it in an earlier process: it counts where it is of this very version
   */
  resume(document: DocumentOf<"file">, kept?: KnownState): void {
    const { "xt/id": id, source, source_hash: sourceHash, null_reason } = document;
    const binding = source === null ? undefined : this.#parsed(source);
    if (binding === undefined) return;
    this.#places.of({ id, binding });
    if (null_reason !== "unread") this.#knownAt({ id, binding }, sourceHash ?? null, kept);
  }

  /** As `resume`, of a file that a client met when it was like this: null where it was not there. */
  resumeAt(touch: Pick<FileTouch, "binding">, sourceHash: string | null): void {
    const binding = this.#parsed(touch.binding);
    if (binding !== undefined) this.#knownAt({ id: fileIdOf(touch), binding }, sourceHash);
  }

  #knownAt(file: Pick<KnownFile, "id" | "binding">, sourceHash: string | null, kept?: KnownState): void {
    const observation: Observation =
      sourceHash === null
        ? { kind: "absent" }
        : {
            kind: "present",
            sourceHash,
            content: { withheld: "binary" },
            state: kept?.sourceHash === sourceHash ? kept : { sourceHash },
          };
    this.#known.remember(file, observation, { inStore: true, nowMs: this.#now() });
  }

  /** Reads a file that is stored as a stub, and writes what is there. Nothing where the store does not know it. */
  async read(id: string): Promise<readonly IndexedFile[]> {
    const { stored } = (await readStoredFiles(this.#store, [id]))(id);
    if (stored?.source == null) return [];
    for (let attempt = 1; attempt <= limits.lookAttemptsMax; attempt += 1) {
      const indexed = [...(await this.index([{ binding: stored.source, as: "read" }], () => false)).values()];
      if ((await this.#write(indexed)).size === 0) return indexed;
    }
    throw sessionError("session/busy", `Others keep writing file ${id}; try again.`, { id });
  }

  /**
   * Looks at every touched file once. Files that are only discovered are not read. Keys of the answer are object ids.
   * @param isInSight where no source can look at a file: whether the caller has it in the version that is stored
   */
  async index(
    touches: readonly FileTouch[],
    isInSight: IsInSight = () => true,
  ): Promise<ReadonlyMap<string, IndexedFile>> {
    const strongest = strongestTouches(touches);
    if (strongest.size === 0) return new Map();
    // Before the look: a version may only be replaced by what was seen after it was written.
    const own = this.#ownFiles([...strongest].map(([id, { binding }]) => ({ id, binding })));
    const stored = await readStoredFiles(this.#store, [...strongest.keys(), ...idsOf(own)]);
    const met = new Map<string, Met>(
      [...strongest].map(([id, { binding, as }]) => [
        id,
        { binding, parsed: this.#parsed(binding), as, ...stored(id), observation: noAnswer },
      ]),
    );
    const requests = looksAt(met, this.#known);
    for (const [place, observation] of (await lookAt(this.#sources, requests)).entries()) {
      const { id = "" } = requests[place] ?? {};
      const file = met.get(id);
      if (file !== undefined && observation !== undefined) met.set(id, { ...file, observation });
    }
    return new Map(this.#indexed(atHome(met, own, stored), isInSight).map((file) => [file.id, file]));
  }

  /** What was touched, after the store refused what was planned to be written for it: looked at again where others wrote. */
  async indexAgain(
    touches: readonly FileTouch[],
    indexed: ReadonlyMap<string, IndexedFile>,
    { newest, isInSight }: { readonly newest: NewestWrites; readonly isInSight?: IsInSight },
  ): Promise<ReadonlyMap<string, IndexedFile>> {
    if (![...indexed.keys()].some((id) => newest.has(id))) return indexed;
    this.#refused([...indexed.values()], newest);
    return this.index(touches, isInSight);
  }

  /** Begins the look of a sweep at all files that is yet to come. */
  prefetchScan(): PrefetchScan {
    return new PrefetchScan(this.#sources, this.#known.within(undefined, this.#now()));
  }

  /**
   * Looks again at the files that this client could see before, all or those with these ids, and writes what changed
   * (SSOT 5.6). Gives the new versions. Should the store fail, the next sweep finds the same changes again.
   */
  async sweep(ids?: Iterable<string>, ahead?: PrefetchScan): Promise<readonly IndexedFile[]> {
    const list = this.#known.within(ids, this.#now());
    const { files } = list;
    if (files.length === 0) return [];
    const observations = await (ahead ?? new PrefetchScan(this.#sources, list)).answersFor(list);
    const news: (readonly [KnownFile, Observation])[] = [];
    const nowMs = this.#now();
    for (let place = 0; place < files.length; place += 1) {
      const observation = observations[place] ?? noAnswer;
      const file = files[place];
      if (file === undefined || list.isSettled(place, observation)) continue;
      if (isNews(file, observation)) {
        if (observation.kind !== "absent" || this.#places.of(file) === undefined) news.push([file, observation]);
        else this.#known.remember(file, notHere, { inStore: file.inStore, nowMs });
      } else {
        this.#known.remember(file, observation, { inStore: file.inStore, nowMs });
        list.settle(place, observation);
      }
    }
    try {
      // In an order of their own: clients of one session met its files in other orders.
      return await this.#writeNews(news.sort(([a], [b]) => (a.id < b.id ? -1 : 1)));
    } catch (error) {
      // Also what was written before it failed, or was stored already: its caller gets nothing of it.
      this.failed(news.flatMap(([file]) => [file.id, this.#places.of(file)?.id ?? file.id]));
      throw error;
    }
  }

  /** Where another client was faster, it is looked at again; what is still not written then, the next sweep finds. */
  async #writeNews(found: readonly (readonly [KnownFile, Observation])[]): Promise<readonly IndexedFile[]> {
    const written: IndexedFile[] = [];
    let news = found;
    for (let attempt = 1; news.length > 0 && attempt <= limits.lookAttemptsMax; attempt += 1) {
      const met = await this.#metAgain(news);
      const indexed = this.#indexed(met);
      const lost = await this.#write(indexed);
      written.push(...indexed.filter(({ id }) => !lost.has(id)));
      news = news.flatMap(([file]) => {
        const id = met.has(file.id) ? file.id : (this.#places.of(file)?.id ?? file.id);
        const observation = lost.has(id) ? met.get(id)?.observation : undefined;
        return observation === undefined ? [] : [[file, observation] as const];
      });
    }
    return written;
  }

  /** Known files that were looked at without being touched. */
  async #metAgain(looks: readonly (readonly [KnownFile, Observation])[]): Promise<ReadonlyMap<string, Met>> {
    if (looks.length === 0) return new Map();
    const own = this.#ownFiles(looks.map(([file]) => file));
    const storedFile = await readStoredFiles(this.#store, [...looks.map(([{ id }]) => id), ...idsOf(own)]);
    const looked = looks.map(([{ id, binding }, observation]) => ({ id, binding, observation }));
    const observations = await lookAgain(this.#sources, looked);
    const met = new Map(
      looked.map(({ id, binding: parsed }, place): [string, Met] => {
        const { stored, token } = storedFile(id);
        // The object is bound as it was stored, which need not be how its source spells that.
        const binding = stored?.source ?? parsed;
        return [id, { binding, parsed, as: "discovered", stored, token, observation: observations[place] ?? noAnswer }];
      }),
    );
    return atHome(met, own, storedFile);
  }

  #ownFiles(files: readonly OwnFile[]): ReadonlyMap<string, OwnFile> {
    return new Map(
      files.flatMap((file) => {
        const own = this.#places.of(file);
        return own === undefined ? [] : [[file.id, own] as const];
      }),
    );
  }

  #ownOf(binding: SourceBinding): SourceBinding | undefined {
    const parsed = this.#parsed(binding);
    const own = parsed === undefined ? undefined : this.#sources.get(parsed.type)?.describe(parsed).own;
    return own === undefined ? undefined : this.#parsed(own);
  }

  /** Gives the ids of those that another client wrote meanwhile. */
  async #write(indexed: readonly IndexedFile[]): Promise<NewestWrites> {
    const lost = await commitFiles(this.#store, indexed);
    this.#refused(indexed, lost);
    this.confirm(indexed.flatMap(({ id }) => (lost.has(id) ? [] : id)));
    return lost;
  }

  #refused(indexed: readonly IndexedFile[], newest: NewestWrites): void {
    this.#hidden.learn(
      indexed.map(({ write }) => write),
      newest,
    );
  }

  #parsed(binding: SourceBinding): SourceBinding | undefined {
    try {
      return this.#sources.get(binding.type)?.parseBinding(binding);
    } catch (error) {
      if (isCmError(error, "model/invalid-source")) return undefined;
      throw error;
    }
  }

  #displayOf(parsed: SourceBinding | undefined): string | undefined {
    const seen = parsed === undefined ? undefined : this.#sources.get(parsed.type)?.describe(parsed);
    if (seen === undefined || seen.display === seen.path) return undefined;
    return seen.display.toWellFormed().slice(0, modelLimits.sourceFieldCharsMax);
  }

  #indexed(met: ReadonlyMap<string, Met>, isInSight: IsInSight = () => true): readonly IndexedFile[] {
    const indexed = [...met].map(([id, file]) => this.#indexedFile(id, file, isInSight));
    // Our own file is looked at in their place.
    this.#known.forget(indexed.flatMap(({ document, succeeds }) => (document === undefined ? [] : (succeeds ?? []))));
    return indexed;
  }

  #indexedFile(id: string, met: Met, isInSight: IsInSight): IndexedFile {
    const { binding, parsed, stored, token } = met;
    const { outcome, document, observation } = versionOf(met, met.observation, this.#redact);
    // A stub may have been read by another client since: that version comes into sight where the file was reached.
    const isSeen = stored !== undefined && (outcome !== "unreachable" || isInSight(stored));
    if (isSeen && this.#known.get(id)?.reached !== true) this.resume(stored);
    if (stored !== undefined || document !== undefined) {
      const inStore = document === undefined;
      this.#known.remember({ id, binding: parsed ?? binding }, observation, { inStore, nowMs: this.#now() });
    }
    const succeeds = this.#places.other(id);
    return {
      id,
      outcome,
      document: document ?? stored,
      // On the version that was read before the look: so the newest observation wins, and versions never alternate.
      write: document === undefined ? undefined : { document, expect: this.#hidden.expected(id, token) },
      display: this.#displayOf(parsed),
      ...defined({ succeeds }),
    };
  }
}

type IsInSight = (stored: DocumentOf<"file">) => boolean;

const idsOf = (own: ReadonlyMap<string, OwnFile>): readonly string[] => [...own.values()].map(({ id }) => id);
