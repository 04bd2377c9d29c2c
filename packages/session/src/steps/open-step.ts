import type { DocumentOf, FileTouch, PromptDecision, Renderer, SetChanges, StepMessage } from "@cm/object-model";
import type { AttachmentDocuments } from "../incoming/clean-messages.ts";
import type { IndexedFile } from "../indexing/file-index.ts";
import { redactionsOf } from "../indexing/redactions.ts";
import { DraftChanges } from "../sets/draft-changes.ts";
import { checkInvariants } from "../sets/invariants.ts";
import { applyChanges, ChangeLog, inverseOf } from "../sets/session-sets.ts";
import { type SetEvent, type Transition, transition } from "../sets/transitions.ts";
import { admit, admitObserved } from "../state/advance.ts";
import { type SessionState, viewOf } from "../state/session-state.ts";
import { type Observed, observedIn } from "./observed.ts";
import type { AssembledRequest } from "./step-documents.ts";

/** A message that was taken in, with what belongs to it. */
export interface TakenMessage {
  readonly message: StepMessage;
  /** The object of a result that came late. */
  readonly toolcall?: DocumentOf<"toolcall">;
}

/**
 * The step being made: what came since the newest one, and the request that was assembled from it.
 *
 * A request's decision changes the sets at once, since what the agent asks for next is meant for what it sees. A
 * request that is given up (something came in before it was recorded) takes its changes back; the agent's wishes stay.
 */
export class OpenStep {
  readonly messages: StepMessage[] = [];
  readonly lateTouches: FileTouch[] = [];
  readonly attachments: AttachmentDocuments = new Map();
  readonly #observed = new Map<string, Observed[number]>();
  redactions = 0;
  readonly #state: SessionState;
  readonly #residency: Renderer["residency"];
  /** Changes of the sets up to the request, and since. */
  readonly #before = new ChangeLog();
  #since = new ChangeLog();
  #commands: SetEvent[] = [];
  #request: AssembledRequest | undefined;
  #chars = 0;

  constructor(state: SessionState, residency: Renderer["residency"]) {
    this.#state = state;
    this.#residency = residency;
  }

  get request(): AssembledRequest | undefined {
    return this.#request;
  }

  /** Room that messages take so far, see `storedChars`. */
  get chars(): number {
    return this.#chars;
  }

  /** Nothing in here fails, so that messages are taken all or none. */
  take(taken: readonly TakenMessage[]): void {
    this.giveUpRequest();
    for (const { message, toolcall } of taken) {
      const id = toolcall?.["xt/id"];
      const changes = id === undefined ? {} : changesOf(this.#transition({ event: "tool call", id }));
      admit(this.#state, [message], changes, { toolcall: () => toolcall, file: () => undefined });
      this.#since.add(changes);
      this.messages.push(message);
      this.#chars += storedChars(message);
    }
  }

  /** What looks before the request found changed: the newest version of each file. */
  get observed(): Observed {
    return [...this.#observed.values()];
  }

  /** Takes file versions that a look found, before a request is made. */
  see(files: readonly IndexedFile[]): void {
    const met = files.filter(({ id }) => this.#state.inSight.has(id));
    const observed = observedIn(this.#state, met);
    const documents = new Map(met.map(({ id, document }) => [id, document]));
    admitObserved(this.#state, observed, { file: (id) => documents.get(id) });
    for (const seen of observed) this.#observed.set(seen.file, seen);
    this.redactions += met.reduce((sum, { write }) => sum + redactionsOf(write), 0);
  }

  command(event: SetEvent): Transition {
    const outcome = this.#transition(event);
    if ("refused" in outcome) return outcome;
    this.#change(outcome.changes);
    if (this.#request !== undefined) this.#commands.push(event);
    return outcome;
  }

  /** From here on, the decision is what stands in the prompt. */
  open(request: Omit<AssembledRequest, "changesBefore">): void {
    this.#before.add(this.#since.sum());
    this.#since = new ChangeLog();
    this.#request = { ...request, changesBefore: this.#before.sum() };
    this.#change(this.#changesBy(request.decision));
  }

  giveUpRequest(): void {
    if (this.#request === undefined) return;
    const commands = this.#commands;
    this.takeBack();
    this.#request = undefined;
    this.#commands = [];
    for (const event of commands) this.command(event);
  }

  /** Takes the changes since the request out of the sets: the step's document says what became of them. */
  takeBack(): SetChanges {
    const since = this.#since.sum();
    applyChanges(this.#state.sets, inverseOf(since));
    this.#since = new ChangeLog();
    return since;
  }

  /** Runs with the sets as they were at the request, from where all changes of the step are worked out. */
  async fromRequest<T>(task: (changesSince: SetChanges) => Promise<T>): Promise<T> {
    const since = this.takeBack();
    try {
      return await task(since);
    } finally {
      applyChanges(this.#state.sets, since);
      this.#since.add(since);
    }
  }

  #changesBy(decision: PromptDecision): SetChanges {
    const changes = new DraftChanges(this.#state, this.#residency, {});
    changes.applyDecision(this.#state, viewOf(this.#state, "warm"), decision);
    return changes.sum();
  }

  #transition(event: SetEvent): Transition {
    return transition(this.#state.sets, event, this.#residency);
  }

  #change(changes: SetChanges): void {
    const changed = new ChangeLog();
    changed.add(changes);
    checkInvariants(changed.over(this.#state.sets), changes, (id) => this.#state.objects.has(id));
    applyChanges(this.#state.sets, changes);
    this.#since.add(changes);
  }
}

function changesOf(outcome: Transition): SetChanges {
  return "changes" in outcome ? outcome.changes : {};
}

/** About the room a message takes in the step's document. */
export function storedChars(message: StepMessage): number {
  return 64 + (message.role === "user" ? JSON.stringify(message.text).length : 0);
}
