import {
  type ContextPolicy,
  type ContextView,
  defaultPrices,
  type LogEntry,
  type Prices,
  type PromptDecision,
  type RenderedPrompt,
  type Renderer,
  recalledText,
  type ViewObject,
  viewAfterOmission,
} from "@cm/context-log";
import { ContextLog, DraftChanges, type LogState, viewOf } from "@cm/context-log/state";
import {
  type AttachmentRef,
  defined,
  type JsonObject,
  type SetChanges,
  type StepMessage,
  type Thinking,
} from "@cm/object-model";
import { MetObjects } from "./met-objects.ts";
import { recordedStep } from "./recorded-step.ts";
import { SetOfObjects } from "./set-of-objects.ts";

/** What happened in a session, neutral of any harness. */
export type SessionEvent =
  | { readonly kind: "user"; readonly text: string; readonly attachments?: readonly AttachmentRef[] }
  | {
      readonly kind: "assistant";
      readonly text: string;
      readonly thinking?: readonly Thinking[];
      readonly calls?: readonly { readonly callId: string; readonly tool: string; readonly args: JsonObject }[];
    }
  | {
      readonly kind: "result";
      readonly callId: string;
      readonly text: string | null;
      readonly failed?: boolean;
      readonly attachments?: readonly AttachmentRef[];
    };

export interface RecordedSessionOptions {
  readonly policy: ContextPolicy;
  readonly renderer: Renderer;
  readonly prices?: Prices;
  readonly headChars?: number;
  readonly systemPrompt?: string;
  readonly window?: ContextView["window"];
}

/** One request of a session: what the policy was shown, what it decided, and what was sent. */
export interface SessionRequest {
  readonly view: ContextView;
  readonly decision: PromptDecision;
  readonly prompt: RenderedPrompt;
}

type AnswerEvent = SessionEvent & { readonly kind: "assistant" };
type ResultEvent = SessionEvent & { readonly kind: "result" };

/** A request whose answer and results may still come: together they are one step. */
interface OpenStep extends SessionRequest {
  answer: AnswerEvent | undefined;
  readonly results: ResultEvent[];
}

/**
 * Turns events into successive views. The events of the log are applied by `ContextLog`, the reducer of every session;
 * here they are only made: a request with its answer and results is one step, whatever comes else stands before the next
 * request. Every read names its file as a stub that shows the newest output. The sets of active, pinned, dismissed and
 * requested objects and the cache's state are the caller's to change between requests.
 */
export class RecordedSession {
  cache: "warm" | "cold" = "warm";
  readonly active = this.#set("active");
  readonly pinned = this.#set("pinned");
  readonly dismissed = this.#set("dismissed");
  readonly requested = this.#set("requested");
  readonly #options: RecordedSessionOptions;
  readonly #log: ContextLog;
  readonly #met = new MetObjects();
  #step: OpenStep | undefined;

  constructor(options: RecordedSessionOptions) {
    const { headChars = 0, systemPrompt = "" } = options;
    this.#options = options;
    this.#log = new ContextLog("s", headChars);
    this.#log.apply({ event: "system prompt", text: systemPrompt });
  }

  get log(): readonly LogEntry[] {
    return this.#settled().log;
  }

  get objects(): ReadonlyMap<string, ViewObject> {
    return this.#settled().objects;
  }

  get index(): ReadonlySet<string> {
    return this.#settled().sets.index;
  }

  /** The view of the next request, on the session's own log, sets and objects: good until the session goes on. */
  view(): ContextView {
    const view = viewOf(this.#settled(), this.cache);
    // As plain data, so that a test can copy a view: a session keeps both packed.
    const plain = { objects: new Map(view.objects), sets: { ...view.sets, index: new Set(view.sets.index) } };
    return { ...view, ...plain, ...defined({ window: this.#options.window }) };
  }

  /** Decides, renders and books one request. What happens next belongs to the next one. */
  request(): SessionRequest {
    const { policy, renderer, prices = defaultPrices } = this.#options;
    const view = this.view();
    const decision = policy.decide(view, prices);
    const left = viewAfterOmission(view, decision);
    const prompt = renderer.render(left.view, left.decision);
    this.#log.apply({ event: "sent", prompt });
    this.#step = { view, decision, prompt, answer: undefined, results: [] };
    this.cache = "warm";
    return { view, decision, prompt };
  }

  add(event: SessionEvent): void {
    const step = this.#step;
    if (event.kind === "assistant") {
      for (const call of event.calls ?? []) this.#met.called(call);
      if (step !== undefined && step.answer === undefined) {
        step.answer = event;
        return;
      }
    }
    if (event.kind === "result" && step?.answer?.calls?.some(({ callId }) => callId === event.callId) === true) {
      step.results.push(event);
      return;
    }
    const state = this.#settled();
    const results = event.kind === "result" ? [event] : [];
    const { observed, documents } = this.#met.answered(results, state.sets.index);
    const draft = new DraftChanges(state, this.#options.renderer.residency, {});
    const changes = this.#changed(draft, results);
    this.#log.apply({ event: "received", messages: [messageOf(event)], changes, objects: documents, observed });
    this.#see(results);
  }

  #set(name: "active" | "pinned" | "dismissed" | "requested"): SetOfObjects {
    const members = () => this.#settled().sets[name];
    return new SetOfObjects(members, (change) => this.#log.apply({ event: "moved", changes: { [name]: change } }));
  }

  /** The log with all that happened: an open step ends. */
  #settled(): LogState {
    const { state } = this.#log;
    const step = this.#step;
    if (step === undefined) return state;
    this.#step = undefined;
    const { view, answer, results, prompt } = step;
    const { renderer, prices = defaultPrices } = this.#options;
    const decision = withTexts(step);
    const draft = new DraftChanges(state, renderer.residency, {});
    draft.applyDecision(state, view, decision);
    const { observed, documents } = this.#met.answered(results, state.sets.index);
    const changes = this.#changed(draft, results);
    const messages = answer === undefined ? [] : [answer, ...results].map(messageOf);
    const document = recordedStep({ view, decision, prompt, messages, changes, observed });
    this.#log.apply({ event: "finished", step: document, objects: documents, prices });
    this.#see(results);
    return state;
  }

  /** What results do to the sets, beside what a draft has already. */
  #changed(draft: DraftChanges, results: readonly ResultEvent[]): SetChanges {
    for (const { callId } of results) draft.apply({ event: "tool call", id: callId });
    for (const { callId, text } of results) {
      const { file, reads } = this.#met.fileOf(callId);
      const isRead = reads && text !== null && this.#options.renderer.residency === "sets";
      if (file !== undefined) draft.apply({ event: isRead ? "read" : "discovery", id: file });
    }
    return draft.sum();
  }

  /** A file is a stub that shows the newest output of a read. */
  #see(results: readonly ResultEvent[]): void {
    for (const { callId, text } of results) {
      const { file = "", reads } = this.#met.fileOf(callId);
      const known = this.#log.state.objects.get(file);
      if (known !== undefined && reads && text !== null)
        this.#log.apply({ event: "brought", object: { ...known, text, textless: "unread" } });
    }
  }
}

/** A decision as a session records it: of the recalled objects those that have a text to bring back. */
function withTexts({ view, decision }: SessionRequest): PromptDecision {
  const { recall, ...rest } = decision;
  const left = viewAfterOmission(view, decision).view;
  const found = (recall ?? []).filter((one) => recalledText(left, one) !== undefined);
  return found.length === 0 ? rest : { ...rest, recall: found };
}

function messageOf(event: SessionEvent): StepMessage {
  const { text } = event;
  if (event.kind === "result") return { role: "tool", call_id: event.callId, object: event.callId };
  if (event.kind === "user")
    return { role: "user", text: text ?? "", ...defined({ attachments: mutable(event.attachments) }) };
  const calls = (event.calls ?? []).map(({ callId, tool, args }) => ({ call_id: callId, tool, args, object: callId }));
  return { role: "assistant", text: text ?? "", calls, ...defined({ thinking: mutable(event.thinking) }) };
}

const mutable = <T>(list: readonly T[] | undefined): T[] | undefined => (list === undefined ? undefined : [...list]);

/** Replays events: one request before each answer of the model. */
export function* replaySession(
  events: readonly SessionEvent[],
  options: RecordedSessionOptions,
): Generator<SessionRequest> {
  const session = new RecordedSession(options);
  for (const event of events) {
    if (event.kind === "assistant") yield session.request();
    session.add(event);
  }
}
