import type { PromptDecision, Renderer, ViewObject } from "@cm/context-log";
import {
  type AssembledRequest,
  ChangeLog,
  type ContextLog,
  checkInvariants,
  DraftChanges,
  inverseOf,
  type LogState,
  type SetEvent,
  type StepObjects,
  succession,
  type Transition,
  transition,
  viewOf,
} from "@cm/context-log/state";
import { type Amended, defined, type SetChanges, type StepMessage } from "@cm/object-model";
import type { Wanted } from "@cm/step-log/load";
import type { AdoptableFile } from "../files/foreign-files.ts";
import { inSightOf, type Observed, observedIn } from "../files/observed.ts";
import { type IndexedFile, redactionsIn } from "../files/touches.ts";
import type { AttachmentDocuments } from "../input/clean.ts";
import {
  type Adopted,
  documentIn,
  fittingChanges,
  type LateTouch,
  newestOf,
  type Pending,
  type PendingObjects,
  type PendingParts,
  pendingOf,
  storedChars,
  type TakenMessage,
  touchesOf,
  wantedBy,
} from "./pending.ts";
import type { Resumed } from "./step-documents.ts";

/**
 * The step being made: what came since the newest one, and the request that was assembled from it.
 *
 * A request's decision changes the sets at once, since what the agent asks for next is meant for what it sees. A
 * request that is given up (something came in before it was recorded) takes its changes back; the agent's wishes stay.
 */
export class OpenStep {
  readonly messages: StepMessage[] = [];
  readonly lateTouches: LateTouch[] = [];
  readonly attachments: AttachmentDocuments = new Map();
  readonly #observed = new Map<string, Observed[number]>();
  /** Files of others that were adopted since the request. */
  readonly #adopted = new Map<string, Adopted>();
  redactions = 0;
  readonly #log: ContextLog;
  readonly #state: LogState;
  readonly #residency: Renderer["residency"];
  /** Changes of the sets up to the request, and since. */
  readonly #before = new ChangeLog();
  #since = new ChangeLog();
  #commands: SetEvent[] = [];
  /** What the agent activated since the newest step. */
  readonly #activated = new Set<string>();
  #request: AssembledRequest | undefined;
  #resumed: Resumed | undefined;
  readonly #amended = new Map<string, Amended[number]>();
  #restored: Pending | undefined;
  #chars = 0;

  constructor(log: ContextLog, residency: Renderer["residency"]) {
    this.#log = log;
    this.#state = log.state;
    this.#residency = residency;
  }

  get request(): AssembledRequest | undefined {
    return this.#request;
  }

  /** Room that messages take so far, see `storedChars`. */
  get chars(): number {
    return this.#chars;
  }

  /** What the agent is told of having been resumed: it stands before the messages. */
  get resumed(): Resumed | undefined {
    return this.#resumed;
  }

  /** What others made of messages, each as it is sent from this step's request on. */
  get amended(): Amended {
    return [...this.#amended.values()];
  }

  /** Takes in what others made of messages, so that the next request is made of that. */
  amend(amended: Amended): void {
    if (amended.length === 0) return;
    this.giveUpRequest();
    this.#log.apply({ event: "amended", amended });
    for (const one of amended) this.#amended.set(`${one.at}.${one.call ?? ""}`, one);
  }

  /** What a paused session had left in its head, and this step has taken in. */
  get restored(): Pending | undefined {
    return this.#restored;
  }

  /** What no step says yet, once no request is open. */
  get pending(): Pending | undefined {
    const { messages, lateTouches: touches, observed, redactions } = this;
    const seen = newestOf([...(this.#resumed?.observed ?? []), ...observed]);
    return pendingOf({ messages, touches, changes: this.#changes(), observed: seen, redactions });
  }

  /** Tells the agent what changed while the session rested. Comes first: before what is restored or received. */
  resume(resumed: Resumed, files: readonly IndexedFile[]): void {
    this.#log.apply({ event: "resumed", resumed, objects: { file: documentIn(files) } });
    this.#resumed = resumed;
    this.#succeed(resumed.observed ?? []);
  }

  /**
   * Takes in again what was pending when the session was paused, as far as its sets still allow. Of its file versions
   * those that the look on resuming did not find changed since.
   */
  restore(pending: Pending, { toolcall, files }: PendingObjects): void {
    const { messages = [], changes = {}, redactions = 0 } = pending;
    const observed = observedIn(this.#state, files);
    const parts = { messages, touches: touchesOf(pending), changes, observed, redactions };
    this.#takeAgain(parts, { toolcall, file: documentIn(files) });
    this.#restored = pending;
  }

  /** The objects that `transferFrom` needs of this step. */
  get wanted(): Wanted {
    return wantedBy(this.messages, this.#changes(), [...(this.#resumed?.observed ?? []), ...this.observed]);
  }

  /**
   * Takes in what another open step had, without a request, on a state that was loaded again. Attachments that are `gone`
   * are not written any more. Nothing in here fails.
   */
  transferFrom(other: OpenStep, objects: StepObjects, gone: ReadonlySet<string>): void {
    const { messages, lateTouches: touches, observed, redactions } = other;
    if (other.#resumed !== undefined) this.#log.apply({ event: "resumed", resumed: other.#resumed, objects });
    this.#takeAgain({ messages, touches, changes: other.#changes(), observed, redactions }, objects);
    for (const [id, document] of other.attachments) if (!gone.has(id)) this.attachments.set(id, document);
    this.#resumed = other.#resumed;
    this.#restored = other.#restored;
    this.amend(other.amended);
  }

  #takeAgain({ messages, touches, changes: meant, observed, redactions }: PendingParts, objects: StepObjects): void {
    const changes = fittingChanges(this.#state.sets, meant, this.#newest);
    this.#log.apply({ event: "received", messages, changes, objects, observed });
    this.#log.apply({ event: "observed", observed, objects });
    for (const seen of observed) this.#observed.set(seen.file, seen);
    this.#since.add(changes);
    for (const id of changes.requested?.added ?? []) this.#activated.add(id);
    this.messages.push(...messages);
    this.lateTouches.push(...touches);
    this.redactions += redactions;
    for (const message of messages) this.#chars += storedChars(message);
  }

  /** Nothing in here fails, so that messages are taken all or none. */
  take(taken: readonly TakenMessage[]): void {
    this.giveUpRequest();
    if (taken.some(({ message }) => message.role === "user")) this.#endTurn();
    for (const { message, toolcall } of taken) {
      const id = toolcall?.["xt/id"];
      const changes = id === undefined ? {} : changesOf(this.#transition({ event: "tool call", id }));
      const objects = { toolcall: () => toolcall, file: () => undefined };
      this.#log.apply({ event: "received", messages: [message], changes, objects });
      this.#since.add(changes);
      this.messages.push(message);
      this.#chars += storedChars(message);
      for (const shown of toolcall?.shows ?? [])
        this.#change(changesOf(this.#transition({ event: "recall", id: shown })));
    }
  }

  /** What was activated in a turn that is over has had its prompts; what was activated since the newest step has not. */
  #endTurn(): void {
    for (const id of [...this.#state.sets.requested]) {
      if (!this.#activated.has(id)) this.#change(changesOf(this.#transition({ event: "turn over", id })));
    }
  }

  /** What looks before the request found changed: the newest version of each file. */
  get observed(): Observed {
    return [...this.#observed.values()];
  }

  /** Takes file versions that a look found, before a request is made. */
  see(files: readonly IndexedFile[]): void {
    const met = inSightOf(this.#state, files);
    const observed = observedIn(this.#state, met);
    this.#log.apply({ event: "observed", observed, objects: { file: documentIn(met) } });
    this.#succeed(observed);
    for (const seen of observed) this.#observed.set(seen.file, this.#withOlder(seen));
    this.redactions += redactionsIn(files);
  }

  readonly #newest = (id: string): string => this.#state.successions.newest(id);

  /** Files that stand in the place of others are where those were. */
  #succeed(observed: Observed): void {
    for (const { file: id, succeeds: from } of observed) {
      if (from !== undefined) this.#change(succession(this.#state.sets, { id, from }));
    }
  }

  /** Seen twice before a request, it still stands in the older one's place. */
  #withOlder(seen: Observed[number]): Observed[number] {
    const { succeeds } = this.#observed.get(seen.file) ?? {};
    return succeeds === undefined ? seen : { ...seen, succeeds };
  }

  /** Files that were adopted since the request, in the versions that came into sight. */
  get adopted(): readonly Adopted[] {
    return [...this.#adopted.values()];
  }

  /** Brings a file of another session in, in the version that was found. */
  adopt({ id, document, display }: AdoptableFile): void {
    const seen = { file: id, content_hash: document.content_hash, ...defined({ display }) };
    this.#log.apply({ event: "observed", observed: [seen], objects: { file: () => document } });
    if (this.#request === undefined) this.#observed.set(id, seen);
    else this.#adopted.set(id, { seen, document });
    this.command({ event: "adopt", id });
  }

  /** Text that left the prompt and is asked for: the next prompt has it. */
  bring(object: ViewObject): void {
    this.#log.apply({ event: "brought", object });
  }

  command(event: SetEvent): Transition {
    const outcome = this.#transition(event);
    if ("refused" in outcome) return outcome;
    if (event.event === "activate") this.#activated.add(event.id);
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

  /** From this request on. It is no reason to give the request up: that was made with it. */
  use(systemPrompt: string): void {
    this.#log.apply({ event: "system prompt", text: systemPrompt });
  }

  /** The same request, given out once more. */
  askedAgain(atMs: number): void {
    if (this.#request?.askedAtMs !== undefined) this.#request = { ...this.#request, askedAtMs: atMs };
  }

  giveUpRequest(): void {
    if (this.#request === undefined) return;
    const commands = this.#commands;
    const { index } = this.revert();
    // What was adopted stays: the index never shrinks.
    if (index !== undefined) this.#since.add({ index });
    for (const [id, { seen }] of this.#adopted) this.#observed.set(id, seen);
    this.#adopted.clear();
    this.#request = undefined;
    this.#commands = [];
    for (const event of commands) this.command(event);
  }

  /** Takes the changes since the request out of the sets: the step's document says what became of them. */
  revert(): SetChanges {
    const since = this.#since.sum();
    this.#log.apply({ event: "moved", changes: inverseOf(since) });
    this.#since = new ChangeLog();
    return since;
  }

  /** Runs with the sets as they were at the request, from where all changes of the step are worked out. */
  async fromRequest<T>(task: (changesSince: SetChanges) => Promise<T>): Promise<T> {
    const since = this.revert();
    try {
      return await task(since);
    } finally {
      this.#log.apply({ event: "moved", changes: since });
      this.#since.add(since);
    }
  }

  /** Changes of the sets that no step says yet. */
  #changes(): SetChanges {
    const changes = new ChangeLog();
    changes.add(this.#before.sum());
    changes.add(this.#since.sum());
    return changes.sum();
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
    this.#log.apply({ event: "moved", changes });
    this.#since.add(changes);
  }
}

function changesOf(outcome: Transition): SetChanges {
  return "changes" in outcome ? outcome.changes : {};
}
