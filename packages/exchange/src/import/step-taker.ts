import type { FileTouch, IncomingResult, IncomingUser, StepRecord, Usage } from "@cm/context-log";
import { type DocumentOf, defined, importOwner, isDocumentOf, type JsonObject, stepId } from "@cm/object-model";
import { fileTouches, type RecordedAssistant, type RecordedCall, type RecordedResult } from "@cm/recordings";
import { layouts, rendererFor } from "@cm/render";
import { openSession, returnToStep, type Session } from "@cm/session";
import type { BatchStore } from "../batch/batch-store.ts";
import type { JournalFacts, StoredJournal } from "../journal/journal-documents.ts";
import type { ImportSessionOptions } from "./import-options.ts";
import { type Group, type Position, type Said, saidBetween, startWith } from "./position.ts";
import type { SessionSource } from "./session-source.ts";

export interface FinishedAnswer {
  readonly group: Group;
  readonly answer: RecordedAssistant;
  readonly results: readonly RecordedResult[];
  /** Where the answer stands. */
  readonly at: Position;
}

interface TakerParts {
  readonly source: SessionSource;
  readonly before: StoredJournal | undefined;
  readonly options: ImportSessionOptions;
}

/** Takes steps into a session as the agent's harness would have, with the plain conversation as what was sent. */
export class StepTaker {
  /** When what is taken in happened; undefined where the file does not say. */
  at: Date | undefined;
  steps = 0;
  redactions = 0;
  readonly #batch: BatchStore;
  readonly #parts: TakerParts;
  /** Calls by id, for results that came later. */
  readonly #calls = new Map<string, RecordedCall>();
  #next = 0;
  #stand: Pick<JournalFacts, "nextStep" | "head">;
  #session: Session | undefined;
  #position: Position;
  #isNew: boolean;

  constructor(batch: BatchStore, parts: TakerParts) {
    this.#batch = batch;
    this.#parts = parts;
    const document = parts.before?.document;
    this.#isNew = document === undefined;
    this.#stand = { nextStep: document?.next_step ?? 0, head: document?.head ?? null };
    this.#position = startWith(parts.source.systemPrompt);
  }

  /** The instructions of the newest step. */
  get systemPrompt(): string {
    return this.#position.systemPrompt;
  }

  /** Whether the session stands there, or gets there by what is said next. */
  leadsTo(position: Position): boolean {
    if (this.#session === undefined && !this.#isNew) return false;
    return saidBetween(this.#position, position) !== undefined;
  }

  /** A session is there before anything that belongs to it. */
  async begin(): Promise<void> {
    if (this.#isNew) await this.#goTo(this.#position);
  }

  /** A step that the store has. @param n its number, where the session has others between */
  skip(group: Group, n = this.#next): void {
    group.n = n;
    this.#next = n + 1;
  }

  async record({ group, answer, results, at }: FinishedAnswer): Promise<void> {
    const recordedAt = this.at;
    for (const call of answer.calls) this.#calls.set(call.id, call);
    this.at = answer.at ?? this.at;
    const session = await this.#goTo(at);
    await session.assemble({ systemPrompt: this.systemPrompt });
    this.at = recordedAt;
    const incoming: IncomingResult[] = [];
    for (const result of results) incoming.push(await this.#result(result));
    const { n } = await session.record(recordOf(answer, incoming));
    group.n = n;
    this.#next = n + 1;
    this.#position = { ...at, group, said: undefined };
    this.steps += 1;
    const step = this.#batch.gathered(stepId({ session: this.#parts.source.session, n }));
    if (isDocumentOf(step, "step")) this.redactions += step.redactions ?? 0;
  }

  /** Leaves the session where the file's last entry stands, with what was said behind the newest step. */
  async close(position: Position): Promise<void> {
    const session = await this.#goTo(position);
    await session.close();
    this.#session = undefined;
  }

  async abandon(): Promise<void> {
    await this.#session?.abandon();
  }

  /** The session as it stands. @param head its newest version, where there is one */
  stand(head: DocumentOf<"session"> | undefined): Pick<JournalFacts, "nextStep" | "head"> {
    if (head !== undefined) this.#stand = { nextStep: head.next_step, head: head.head };
    return this.#stand;
  }

  async #goTo(position: Position): Promise<Session> {
    const isThere = this.leadsTo(position);
    if (!isThere) {
      await this.#session?.close();
      await returnToStep(
        this.#batch,
        { session: this.#parts.source.session, n: position.group?.n ?? null },
        { owner: importOwner },
      );
      this.#session = undefined;
      this.#position = { ...position, said: undefined };
    }
    this.#session ??= await this.#opened();
    const said = saidBetween(this.#position, position) ?? [];
    if (said.length > 0) await this.#session.receive(await this.#incoming(said));
    this.#position = position;
    return this.#session;
  }

  async #opened(): Promise<Session> {
    const { source, options } = this.#parts;
    this.#isNew = false;
    return openSession({
      ...{ store: this.#batch, layout: layouts.plain, rendererFor, session: source.session, owner: importOwner },
      ...{ sweep: false, tellResumed: false },
      sources: options.files === undefined ? [] : [options.files.source],
      now: () => Math.max(0, this.at?.getTime() ?? options.now?.() ?? Date.now()),
      systemPrompt: this.systemPrompt,
      ...defined({ redact: options.redact }),
    });
  }

  async #incoming(said: readonly Said[]): Promise<(IncomingUser | IncomingResult)[]> {
    const incoming: (IncomingUser | IncomingResult)[] = [];
    for (const { event } of said) {
      if (event.kind === "result") incoming.push(await this.#result(event));
      else incoming.push({ role: "user", text: event.text, attachments: event.attachments });
    }
    return incoming;
  }

  async #result(result: RecordedResult): Promise<IncomingResult> {
    const { callId, text, failed, attachments } = result;
    return { role: "tool", callId, text, failed, attachments, files: await this.#touched(result) };
  }

  async #touched({ callId, text, failed }: RecordedResult): Promise<readonly FileTouch[]> {
    const { source, options } = this.#parts;
    const call = this.#calls.get(callId);
    if (call === undefined || options.files === undefined) return [];
    const touches: FileTouch[] = [];
    for (const { path, ...touch } of fileTouches(call, { cwd: source.cwd, text, failed })) {
      const binding = await options.files.bind(path, source);
      if (binding !== undefined) touches.push({ ...touch, binding });
    }
    return touches;
  }
}

function recordOf(answer: RecordedAssistant, results: readonly IncomingResult[]): StepRecord {
  const { text, thinking, calls, model, stopReason } = answer;
  return {
    answer: {
      ...{ role: "assistant", text, thinking },
      calls: calls.map(({ id, name, args }) => ({ callId: id, tool: name, args: args as JsonObject })),
      ...defined({ model, stopReason }),
    },
    results,
    ...defined({ usage: usageOf(answer) }),
  };
}

/** Undefined where the provider said nothing. */
function usageOf({ usage }: RecordedAssistant): Usage | undefined {
  if (usage === undefined) return undefined;
  const { input, output, cacheRead, cacheWrite } = usage;
  const counts = [input, output, cacheRead, cacheWrite];
  const isUsage =
    counts.every((count) => Number.isSafeInteger(count) && count >= 0) && counts.some((count) => count > 0);
  return isUsage ? { input, output, cacheRead, cacheWrite } : undefined;
}
