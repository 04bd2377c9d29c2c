import {
  type AttachmentRef,
  appendedEntries,
  billedInput,
  type ContextPolicy,
  type ContextView,
  type CostLedger,
  defaultPrices,
  type JsonObject,
  type LogEntry,
  objectIdOf,
  type PartForm,
  type PoolSummary,
  type Prices,
  type PromptDecision,
  type RenderedPrompt,
  type Renderer,
  resultPart,
  type Thinking,
  type ViewObject,
} from "@cm/object-model";

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

const readingTools = new Set(["read", "view", "cat"]);

/**
 * Turns events into successive views by the rules of the contract, as a session would: forms are merged after each
 * decision, recalled entries appended, sets kept. Every read names its file as a stub that shows the newest output.
 * The sets of pinned, dismissed and requested objects and the cache's state are the caller's to change between requests.
 */
export class RecordedSession {
  readonly log: LogEntry[] = [];
  readonly objects = new Map<string, ViewObject>();
  readonly index = new Set<string>();
  readonly active = new Set<string>();
  readonly pinned = new Set<string>();
  readonly dismissed = new Set<string>();
  readonly requested = new Set<string>();
  cache: "warm" | "cold" = "warm";
  readonly #options: RecordedSessionOptions;
  #summary: PoolSummary | undefined;
  readonly #forms = new Map<string, PartForm>();
  readonly #formsChanged: string[] = [];
  #step = 0;
  #turn = -1;
  #sent: RenderedPrompt | undefined;
  #ledger: CostLedger;
  readonly #calls = new Map<string, { readonly tool: string; readonly args: JsonObject }>();
  #plainSentChars = 0;
  #plainChars = 0;
  readonly #aliases = { file: 0, toolcall: 0 };

  constructor(options: RecordedSessionOptions) {
    this.#options = options;
    this.#ledger = { requests: 0, billed: 0, plainBilled: 0, plainChars: 0, headChars: options.headChars ?? 0 };
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
      formsChanged: this.#formsChanged,
      sent: this.#sent,
      ledger: this.#ledger,
      cache: this.cache,
      ...(this.#options.window === undefined ? {} : { window: this.#options.window }),
      ...(this.#summary === undefined ? {} : { summary: this.#summary }),
    };
  }

  /** Decides, renders and books one request. What happens next belongs to the next one. */
  request(): SessionRequest {
    const prices = this.#options.prices ?? defaultPrices;
    const view = this.view();
    const decision = this.#options.policy.decide(view, prices);
    const prompt = this.#options.renderer.render(view, decision);
    const appended = appendedEntries(view, decision);
    this.#book(prompt, prices);
    for (const [part, form] of Object.entries(decision.forms ?? {})) {
      this.#forms.set(part, form);
      this.#formsChanged.push(part);
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
    this.#summary = decision.summary ?? this.#summary;
    this.#sent = prompt;
    this.#step += 1;
    this.cache = "warm";
    return { view, decision, prompt };
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
      this.#plainChars += event.text.length;
      return;
    }
    const turn = Math.max(0, this.#turn);
    if (event.kind === "assistant") {
      const calls = (event.calls ?? []).map((call) => {
        this.#calls.set(call.callId, call);
        this.#plainChars += JSON.stringify(call.args).length;
        const { file } = this.#filesOf(call.tool, call.args);
        return { ...call, object: this.#addToolcall(call), files: file === undefined ? [] : [file] };
      });
      this.#plainChars += event.text.length;
      this.log.push({ kind: "assistant", ...place, turn, text: event.text, thinking: event.thinking ?? [], calls });
      return;
    }
    this.#addResult(event, { ...place, turn });
  }

  #addResult(event: SessionEvent & { kind: "result" }, place: { at: number; step: number; turn: number }): void {
    const call = this.#calls.get(event.callId) ?? { tool: "unknown", args: {} };
    const object = this.#addToolcall({ callId: event.callId, ...call });
    const status = event.failed === true ? "fail" : "ok";
    const known = this.objects.get(object);
    if (known !== undefined) this.objects.set(object, { ...known, status, text: event.text });
    const { file, reads } = this.#filesOf(call.tool, call.args);
    if (file !== undefined && reads && event.text !== null) this.#seen(file, event.text);
    this.active.add(object);
    this.#plainChars += event.text?.length ?? 0;
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

  #addToolcall(call: { readonly callId: string; readonly tool: string }): string {
    if (!this.index.has(call.callId)) {
      this.#aliases.toolcall += 1;
      const alias = `t${this.#aliases.toolcall}`;
      this.#addObject({ id: call.callId, alias, kind: "toolcall", tool: call.tool, status: "ok", text: null });
    }
    return call.callId;
  }

  #filesOf(tool: string, args: JsonObject): { readonly file: string | undefined; readonly reads: boolean } {
    const path = [args.path, args.file_path].find((value) => typeof value === "string" && value !== "");
    const reads = readingTools.has(tool.toLowerCase());
    if (typeof path !== "string" || !(reads || /^(multi)?edit$|^write$/i.test(tool))) return { file: undefined, reads };
    const id = objectIdOf({ type: "file", source: { type: "filesystem", filesystemId: "test", path } });
    if (!this.index.has(id)) {
      this.#aliases.file += 1;
      const alias = `f${this.#aliases.file}`;
      this.#addObject({ id, alias, kind: "file", path, fileType: "", charCount: 0, text: null, textless: "unread" });
    }
    return { file: id, reads };
  }

  #seen(file: string, text: string): void {
    const known = this.objects.get(file);
    if (known !== undefined) this.objects.set(file, { ...known, text, textless: "unread" });
    if (this.#options.renderer.residency === "sets") this.active.add(file);
  }

  #addObject(object: ViewObject): void {
    this.objects.set(object.id, object);
    this.index.add(object.id);
  }

  /** Under residency `rendered` what does not stand in full is not active (design 7.7). */
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

  #book(prompt: RenderedPrompt, prices: Prices): void {
    const head = this.#ledger.headChars;
    const first = this.#ledger.requests === 0;
    const cold = first || this.cache === "cold";
    const cached = cold ? 0 : prompt.kept.chars + head;
    const plainCached = cold ? 0 : this.#plainSentChars + head;
    this.#ledger = {
      requests: this.#ledger.requests + 1,
      billed: this.#ledger.billed + billedInput(prices, { total: prompt.chars + head, cached }),
      plainBilled:
        this.#ledger.plainBilled + billedInput(prices, { total: this.#plainChars + head, cached: plainCached }),
      plainChars: this.#plainChars,
      headChars: head,
    };
    this.#plainSentChars = this.#plainChars;
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
