import type { LruCache } from "@cm/object-model";
import { fullNamesOf, isObjectId, isRef } from "../binding/ref-name.ts";
import { ObjectReader } from "../process/object-reader.ts";
import { reasons } from "../reasons.ts";
import type { Timer } from "../timer.ts";
import { identify, placeOf, type RegisteredFolder, type RepositoryFacts } from "./identify.ts";
import { Objects } from "./objects.ts";
import { lookUpRefs, type RefState } from "./refs.ts";
import type { Tree } from "./tree.ts";

export interface RepositoryOptions {
  readonly registered: RegisteredFolder;
  readonly filesystemId: string;
  readonly program: () => Promise<string>;
  readonly cache: LruCache<Tree>;
  readonly timer: Timer;
}

/** A batch's view of one repository: where its refs stand, and the objects behind them. */
export interface RepositoryLook {
  readonly refs: ReadonlyMap<string, RefState>;
  readonly objects: Objects;
}

/** One registered folder. Everything that is asked of it throws a `Trouble` where it cannot be told. */
export class Repository {
  readonly #options: RepositoryOptions;
  #facts: RepositoryFacts | undefined;
  /** In the folder where its git runs. */
  #reader: { readonly folder: string; readonly objects: ObjectReader } | undefined;

  constructor(options: RepositoryOptions) {
    this.#options = options;
  }

  /** The last known state, without a look. */
  get repo(): string | undefined {
    return this.#facts?.repo;
  }

  /** The current state. Processes run only for a new or changed folder. */
  async facts(signal: AbortSignal): Promise<RepositoryFacts> {
    return (await this.#open(signal)).facts;
  }

  async look(refs: Iterable<string>, signal: AbortSignal): Promise<RepositoryLook> {
    const { facts, folder, reader } = await this.#open(signal);
    const program = await this.#options.program();
    const all = [...refs];
    const states = new Map(await lookUpRefs(all, { program, folder, gitFolder: facts.gitFolder, signal }));
    if (states.has("HEAD")) states.set("HEAD", await headState(reader, signal));
    return { refs: states, objects: new Objects({ reader, cache: this.#options.cache, format: facts.format, signal }) };
  }

  /**
   * A mark for each ref that differs once it has moved, without a process. A ref that is gone can in rare cases keep its
   * mark (see `lookUpRefs`), so this is for hints. What cannot be a ref has none.
   */
  async marks(refs: Iterable<string>, signal: AbortSignal): Promise<ReadonlyMap<string, string>> {
    const { reader } = await this.#open(signal);
    // A name with a line break would be a command of its own.
    const marks = [...refs].filter(isRef).map(async (ref) => [ref, await markOf(reader, ref, signal)] as const);
    return new Map(await Promise.all(marks));
  }

  async close(): Promise<void> {
    await this.#reader?.objects.close();
  }

  async #open(signal: AbortSignal): Promise<{ facts: RepositoryFacts; folder: string; reader: ObjectReader }> {
    const { registered, filesystemId, program: findProgram, timer } = this.#options;
    const { folder, place } = await placeOf(registered.folder);
    if (this.#facts?.place !== place) {
      const program = await findProgram();
      this.#facts = await identify(registered, { program, folder, signal, filesystemId, place });
      // A process in a folder that was moved away would continue to read it.
      this.#reader?.objects.restart();
    }
    if (this.#reader?.folder !== folder) {
      void this.#reader?.objects.close();
      this.#reader = { folder, objects: new ObjectReader({ program: findProgram, folder, timer }) };
    }
    return { facts: this.#facts, folder, reader: this.#reader.objects };
  }
}

async function headState(reader: ObjectReader, signal: AbortSignal): Promise<RefState> {
  const head = await reader.ask({ command: "info", name: "HEAD", bytesMax: 0, signal });
  return head.kind === "info" ? { id: head.id } : { unreachable: reasons.unbornHead };
}

async function markOf(reader: ObjectReader, ref: string, signal: AbortSignal): Promise<string> {
  if (isObjectId(ref)) return ref;
  const names = ref === "HEAD" ? [ref] : fullNamesOf(ref);
  const asked = names.map((name) => reader.ask({ command: "info", name, bytesMax: 0, signal }));
  const replies = await Promise.all(asked);
  return replies.map((reply) => (reply.kind === "info" ? reply.id : "-")).join();
}
