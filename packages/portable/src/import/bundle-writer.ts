import {
  type CommitReceipt,
  defined,
  hashJson,
  isCmError,
  type ObjectDocument,
  type ObjectStore,
  parseDocument,
  sessionOfReference,
  type Write,
} from "@cm/object-model";
import { bundleError } from "../errors.ts";
import { emptyCall } from "../format/empty-call.ts";
import type { VersionLine } from "../format/lines.ts";
import { limits } from "../limits.ts";
import { type Batch, Batches } from "./batches.ts";
import type { Comparison } from "./compare.ts";
import { hasStepsBeyond, importMark } from "./import-mark.ts";
import type { TargetHeads } from "./target.ts";

export interface WriteContext {
  readonly store: ObjectStore;
  /** The one that the bundle brings, and the number that its next step takes. */
  readonly session: string;
  readonly nextStep: number;
  readonly digest: string;
  readonly target: TargetHeads;
  readonly comparison: Comparison;
  /** Milliseconds since the epoch. A version that holds from later on is written as one that holds from now. */
  readonly nowMs: number;
}

/** Puts the versions of a verified bundle into a store, in their order, in as few commits as keep their meaning. */
export class BundleWriter {
  readonly #context: WriteContext;
  readonly #batches = new Batches();
  /** The newest system prompt so far, by session: written before the first step that needs it. */
  readonly #prompts = new Map<string, ObjectDocument>();
  #commits = 0;
  #written = 0;
  #isMarked: boolean;
  #isErased = false;

  constructor(context: WriteContext) {
    this.#context = context;
    this.#isMarked = context.target.isUnfinished;
  }

  get commits(): number {
    return this.#commits;
  }

  /** Versions that were added. */
  get written(): number {
    return this.#written;
  }

  async take(line: VersionLine, number: number, bytes: number): Promise<void> {
    const document = parseDocument(line.document);
    const { comparison } = this.#context;
    if (document.type === "system_prompt") this.#prompts.set(sessionOf(document), document);
    else if (!comparison.known.has(number)) {
      if (isHead(document)) await this.#markErased();
      if (document.type === "step" || document.type === "chat") await this.#addPrompt(sessionOf(document));
      await this.#add(document, line.at, bytes);
    }
  }

  /** Writes what is left: the heads are in it, and with them the import is over. */
  async finish(): Promise<void> {
    const { store, session, nextStep, nowMs } = this.#context;
    if (!this.#isMarked) for (const { document } of this.#continued()) await this.#add(document, undefined, 0);
    // Steps behind the heads are those of a longer bundle: its import is still to be finished.
    if (this.#isMarked && !(await hasStepsBeyond(store, session, nextStep))) {
      await this.#add(importMark(session, nowMs).document, undefined, 0);
    }
    await this.#send(this.#batches.take());
  }

  /**
   * Before the session appears: what was erased before the bundle was made was erased here, too, and is not lost. In
   * commits of their own, since an erasure is none.
   */
  async #markErased(): Promise<void> {
    const { store, session, comparison } = this.#context;
    const { unmarked, marks } = this.#isErased ? { unmarked: [], marks: [] } : comparison;
    this.#isErased = true;
    if (unmarked.length + marks.length === 0) return;
    await this.#commit(this.#batches.take() ?? { writes: [], validTimeMs: undefined });
    for (let from = 0; from < marks.length; from += limits.commitWritesMax) {
      await this.#sent({ writes: marks.slice(from, from + limits.commitWritesMax), validTimeMs: undefined });
    }
    for (let from = 0; from < unmarked.length; from += limits.commitWritesMax) {
      const ids = unmarked.slice(from, from + limits.commitWritesMax);
      const writes = ids.map((id) => ({ document: emptyCall(id, session), expect: "any" as const }));
      await this.#sent({ writes, validTimeMs: undefined });
      await store.erase(ids, erasedBefore);
    }
  }

  /**
   * A past prompt reads the system prompt at the transaction that wrote its step, so that one has to hold there. Within
   * a transaction all steps of a session have the same.
   */
  async #addPrompt(session: string): Promise<void> {
    const document = this.#prompts.get(session);
    const { prompts } = this.#context.comparison;
    if (document === undefined || prompts.get(session) === document.content_hash) return;
    if (this.#batches.has(({ type, session_ref }) => type === "step" && session_ref === document.session_ref)) {
      await this.#commit(this.#batches.take());
    }
    prompts.set(session, document.content_hash);
    await this.#add(document, undefined, Buffer.byteLength(document.content ?? ""));
  }

  async #add(document: ObjectDocument, atMs: number | undefined, bytes: number): Promise<void> {
    const { nowMs } = this.#context;
    const validTimeMs = document.source === null || atMs === undefined || atMs > nowMs ? undefined : atMs;
    const addition = { write: { document, expect: this.#expectation(document) }, validTimeMs, bytes };
    await this.#commit(this.#batches.before(addition));
    this.#batches.add(addition);
  }

  #expectation({ type }: ObjectDocument): Write["expect"] {
    const { sessionExpect, chatExpect } = this.#context.target;
    if (type === "session") return sessionExpect;
    if (type === "chat") return chatExpect;
    return writtenAgain.has(type) ? "any" : "absent";
  }

  /** A commit before the last one: from then on the import can be cut, so that the store is told first. */
  async #commit(batch: Batch | undefined): Promise<void> {
    if (batch === undefined) return;
    const { session, nowMs } = this.#context;
    if (!this.#isMarked) {
      const writes = [importMark(session, nowMs, "unfinished"), ...this.#continued()];
      await this.#send({ writes, validTimeMs: undefined });
      this.#isMarked = true;
    }
    await this.#send(batch);
  }

  #continued(): readonly Write[] {
    const { comparison, nowMs } = this.#context;
    return comparison.unknown.map((session) => importMark(session, nowMs, "continued"));
  }

  async #send(batch: Batch | undefined): Promise<void> {
    if (batch === undefined || batch.writes.length === 0) return;
    const { results } = await this.#sent(batch);
    this.#commits += 1;
    const isMark = (place: number) => batch.writes[place]?.document.type === "lease";
    this.#written += results.filter(({ outcome }, place) => outcome === "written" && !isMark(place)).length;
  }

  /** The request id is made of the bundle and of what is written, so that a commit whose answer was lost is one. */
  async #sent({ writes, validTimeMs }: Batch): Promise<CommitReceipt> {
    const { store, digest } = this.#context;
    const said = writes.map(({ document, expect }) => [document["xt/id"], document.content_hash, expect]);
    const requestId = `import ${hashJson([digest, validTimeMs ?? null, said])}`;
    const options = {
      requestId,
      ...defined({ validTime: validTimeMs === undefined ? undefined : new Date(validTimeMs) }),
    };
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await store.commit(writes, options);
      } catch (error) {
        if (isCmError(error, "store/conflict")) throw concurrentWriteError(error.data.ids as readonly string[]);
        if (!isCmError(error, "store/unknown-outcome") || attempt >= limits.commitAttemptsMax) throw error;
      }
    }
  }
}

/** A bundle says that something was erased, and not why. */
const erasedBefore = "it was erased before the bundle was made";

const isHead = ({ type }: ObjectDocument): boolean => type === "session" || type === "chat";

const writtenAgain: ReadonlySet<string> = new Set(["file", "attachment", "system_prompt", "lease", "journal"]);

function sessionOf({ session_ref }: ObjectDocument): string {
  return typeof session_ref === "string" ? sessionOfReference(session_ref) : "";
}

function concurrentWriteError(ids: readonly string[]) {
  return bundleError(
    "bundle/conflict",
    `Another client wrote ${ids.length} of the bundle's objects meanwhile; import it again, which goes on or says why not.`,
    { ids: ids.slice(0, limits.idsPerErrorMax) },
  );
}
