import {
  appendedEntries,
  type ContextPolicy,
  type ContextView,
  defaultPrices,
  type LogEntry,
  LogIndex,
  type PartForm,
  type Prices,
  type PromptDecision,
  type RenderedPrompt,
  type Renderer,
  resultPart,
  viewAfterOmission,
} from "@cm/context-log";
import { type AttachmentRef, defined, type JsonObject, type Thinking } from "@cm/object-model";
import { MetObjects } from "./met-objects.ts";
import { SessionLedger } from "./session-ledger.ts";

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

/**
 * Turns events into successive views by the rules of the contract, as a session would: forms are merged after each
 * decision, recalled entries appended, sets kept. Every read names its file as a stub that shows the newest output.
 * The sets of pinned, dismissed and requested objects and the cache's state are the caller's to change between requests.
 */
export class RecordedSession {
  log: LogEntry[] = [];
  readonly #met = new MetObjects();
  readonly objects = this.#met.objects;
  readonly index = this.#met.index;
  readonly active = new Set<string>();
  readonly pinned = new Set<string>();
  readonly dismissed = new Set<string>();
  readonly requested = new Set<string>();
  cache: "warm" | "cold" = "warm";
  readonly #options: RecordedSessionOptions;
  readonly #forms = new Map<string, PartForm>();
  #index = new LogIndex(this.log, this.#forms);
  #step = 0;
  #turn = -1;
  #sent: RenderedPrompt | undefined;
  readonly #ledger: SessionLedger;
  readonly #calls = new Map<string, { readonly tool: string; readonly args: JsonObject }>();

  constructor(options: RecordedSessionOptions) {
    this.#options = options;
    this.#ledger = new SessionLedger(options.prices ?? defaultPrices, options.headChars ?? 0);
  }

  /** The view of the next request, on the session's own log, sets and objects: good until the session goes on. */
  view(): ContextView {
    return {
      session: "s",
      step: this.#step,
      turn: Math.max(0, this.#turn),
      systemPrompt: this.#options.systemPrompt ?? "",
      log: this.log,
      objects: this.objects,
      sets: {
        index: this.index,
        pool: this.index,
        active: this.active,
        pinned: this.pinned,
        dismissed: this.dismissed,
        requested: this.requested,
      },
      forms: this.#forms,
      index: this.#index,
      sent: this.#sent,
      ledger: this.#ledger.ledger,
      cache: this.cache,
      ...defined({ window: this.#options.window }),
    };
  }

  /** Decides, renders and books one request. What happens next belongs to the next one. */
  request(): SessionRequest {
    const prices = this.#options.prices ?? defaultPrices;
    const view = this.view();
    const decision = this.#options.policy.decide(view, prices);
    const left = viewAfterOmission(view, decision);
    const prompt = this.#options.renderer.render(left.view, left.decision);
    const appended = appendedEntries(left.view, left.decision);
    this.#omit(left.view);
    this.#ledger.book(prompt, this.cache);
    for (const [part, form] of Object.entries(decision.forms ?? {})) {
      this.#forms.set(part, form);
      this.#index.changeForm(part);
    }
    for (const entry of appended) {
      this.log.push(entry);
      if (entry.kind === "released") {
        for (const id of entry.objects) this.pinned.delete(id);
        continue;
      }
      this.requested.delete(entry.object);
      if (this.#options.renderer.residency === "rendered") this.active.add(entry.object);
    }
    for (const id of decision.deactivate ?? []) this.active.delete(id);
    this.#settleActive(decision);
    this.#sent = prompt;
    this.#step += 1;
    this.cache = "warm";
    return { view, decision, prompt };
  }

  /** What left the prompt shows nothing any more. */
  #omit({ log, forms }: ContextView): void {
    if (log === this.log) return;
    const gone = this.log.filter((entry) => log[entry.at]?.kind === "omitted");
    this.log = [...log];
    for (const part of this.#forms.keys()) if (!forms.has(part)) this.#forms.delete(part);
    this.#index = new LogIndex(this.log, this.#forms);
    const standing = new Set(
      log.flatMap((entry) => ("object" in entry && entry.kind !== "omitted" ? [entry.object] : [])),
    );
    if (this.#options.renderer.residency !== "rendered") return;
    for (const entry of gone)
      if ("object" in entry && entry.object !== undefined && !standing.has(entry.object))
        this.active.delete(entry.object);
  }

  add(event: SessionEvent): void {
    const place = { at: this.log.length, step: this.#step };
    if (event.kind === "user") {
      this.#turn += 1;
      this.log.push({
        kind: "user",
        ...place,
        turn: this.#turn,
        text: event.text,
        attachments: event.attachments ?? [],
      });
      this.#ledger.grow(event.text.length);
      return;
    }
    const turn = Math.max(0, this.#turn);
    if (event.kind === "assistant") {
      const calls = (event.calls ?? []).map((call) => {
        this.#calls.set(call.callId, call);
        this.#ledger.grow(JSON.stringify(call.args).length);
        const { id: file } = this.#met.file(call.tool, call.args);
        return { ...call, object: this.#met.toolcall(call), files: file === undefined ? [] : [file] };
      });
      this.#ledger.grow(event.text.length);
      this.log.push({ kind: "assistant", ...place, turn, text: event.text, thinking: event.thinking ?? [], calls });
      return;
    }
    this.#addResult(event, { ...place, turn });
  }

  #addResult(event: SessionEvent & { kind: "result" }, place: { at: number; step: number; turn: number }): void {
    const call = this.#calls.get(event.callId) ?? { tool: "unknown", args: {} };
    const object = this.#met.toolcall({ callId: event.callId, ...call });
    const status = event.failed === true ? "fail" : "ok";
    this.#met.answered(object, status, event.text);
    const { id: file, reads } = this.#met.file(call.tool, call.args);
    if (file !== undefined && reads && event.text !== null) this.#see(file, event.text);
    this.active.add(object);
    this.#ledger.grow(event.text?.length ?? 0);
    this.log.push({
      kind: "result",
      ...place,
      callId: event.callId,
      object,
      tool: call.tool,
      args: call.args,
      status,
      text: event.text,
      attachments: event.attachments ?? [],
      files: file === undefined ? [] : [file],
      spans: [],
    });
  }

  #see(file: string, text: string): void {
    this.#met.seen(file, text);
    if (this.#options.renderer.residency === "sets") this.active.add(file);
  }

  /** Under residency `rendered` what does not stand in full is not active (SSOT 3.3). */
  #settleActive(decision: PromptDecision): void {
    if (this.#options.renderer.residency !== "rendered") return;
    for (const [part, form] of Object.entries(decision.forms ?? {})) {
      const entry = this.log[Number(part)];
      if (entry?.kind !== "result" && entry?.kind !== "recalled") continue;
      if (resultPart(entry.at) !== part || form.form === "full" || form.form === "sparse") continue;
      this.active.delete(entry.object);
      this.dismissed.delete(entry.object);
    }
  }
}

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
