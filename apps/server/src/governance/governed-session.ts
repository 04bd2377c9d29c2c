import {
  type CompiledBundle,
  compileBundle,
  type FeatureFlags,
  hasSessionEnded,
  type IdChain,
  moveSession,
  type PolicyBundle,
  type SessionChain,
  type SessionState,
  sessionChain,
  type TokenBudget,
  tokenBudget,
} from "@cm/governance";
import type { SessionFields, ThreadMessage, Workspaces } from "@cm/workspace";
import { serverError } from "../errors.ts";
import type { EventLog } from "./event-log.ts";
import { realPath } from "./real-path.ts";

/** What tasks of a session wait for, and how many of each. */
type Waiting = "approval" | "tool" | "llm";

const stateWhile: Readonly<Record<Waiting, SessionState>> = {
  approval: "WAITING_FOR_APPROVAL",
  tool: "WAITING_FOR_TOOL",
  llm: "WAITING_FOR_LLM",
};

export interface SessionParts {
  readonly workspaceId: string;
  readonly sessionId: string;
  readonly owner: { readonly tenantId: string; readonly userId: string };
  readonly preset: string;
  readonly state: SessionState;
  readonly tokensUsed: number;
  readonly bundle: PolicyBundle;
  readonly flags: FeatureFlags;
  readonly events: EventLog;
  readonly workspaces: Workspaces;
  readonly fault: (what: string, error: unknown) => void;
}

/** A session that this server governs: its state, its bundle and its tokens. */
export class GovernedSession {
  readonly chain: SessionChain;
  readonly owner: SessionParts["owner"];
  readonly preset: string;
  readonly #parts: SessionParts;
  readonly #waiting: Record<Waiting, number> = { approval: 0, tool: 0, llm: 0 };
  #state: SessionState;
  #policy: CompiledBundle;
  /** Undefined while it is not paused. */
  #resumed: { readonly promise: Promise<void>; readonly resolve: () => void } | undefined;
  /** Writes of its state, one after the other; no step waits for them. */
  #written: Promise<void> = Promise.resolve();
  budget: TokenBudget;
  flags: FeatureFlags;
  /** Its messages; undefined before a task of it ended. */
  thread: readonly ThreadMessage[] | undefined;
  /** The task whose end wrote them into the records. */
  savedAfter: string | undefined;
  /** Tasks of this server that run in it now. Without any, another server may have it. */
  tasks = 0;

  constructor(parts: SessionParts) {
    this.#parts = parts;
    this.chain = sessionChain(parts);
    this.owner = parts.owner;
    this.preset = parts.preset;
    this.#state = parts.state;
    this.#policy = compileBundle(parts.bundle, { resolvePath: realPath });
    this.flags = parts.flags;
    this.budget = tokenBudget(parts.bundle.llmPolicy?.maxSessionTokens, parts.tokensUsed);
  }

  get state(): SessionState {
    return this.#state;
  }

  get policy(): CompiledBundle {
    return this.#policy;
  }

  get isPaused(): boolean {
    return this.#state === "SESSION_PAUSED";
  }

  /** Takes over what the records say. @returns false where another server has brought it under another policy */
  follow({ status, tokens_used, expires_at, policy_bundle_version }: SessionFields): boolean {
    const { expiresAt, bundle } = this.#policy;
    if (expires_at !== expiresAt || policy_bundle_version !== bundle.policyBundleVersion) return false;
    this.#state = status;
    this.budget = tokenBudget(bundle.llmPolicy?.maxSessionTokens, Math.max(tokens_used, this.budget.used));
    return true;
  }

  /**
   * What its state was is in the records by then: who is refused may resume it on another server.
   * @throws CmError `server/session-paused`, `server/session-ended`
   */
  async checkTakesTask(now: number): Promise<void> {
    if (hasSessionEnded(this.#state)) throw ended(this.chain.sessionId);
    if (!this.isPaused && now >= this.#policy.expiresAt) this.pause("policy_expired");
    await this.#written;
    if (this.isPaused) throw paused(this.chain.sessionId);
  }

  /** Something of it begins to wait; the result says that it waits no longer. */
  wait(what: Waiting, chain: IdChain): () => void {
    this.#waiting[what] += 1;
    this.#follow(chain);
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      this.#waiting[what] -= 1;
      this.#follow(chain);
    };
  }

  pause(note: string, chain: IdChain = this.chain): void {
    if (this.isPaused || hasSessionEnded(this.#state)) return;
    this.#resumed = Promise.withResolvers<void>();
    this.#move("SESSION_RUNNING", chain);
    this.#move("SESSION_PAUSED", chain, note);
  }

  /** Resolves when it is resumed, or ended, or the signal fires. */
  async untilResumed(signal: AbortSignal): Promise<void> {
    if (this.#resumed !== undefined) await before(signal, this.#resumed.promise);
  }

  /** Resolves when its state is in the records, or its write has failed, or the signal fires. */
  untilWritten(signal: AbortSignal): Promise<void> {
    return before(signal, this.#written);
  }

  /** Goes on under another bundle. What it has used stays used. */
  resume(bundle: PolicyBundle, flags: FeatureFlags): void {
    this.flags = flags;
    this.#policy = compileBundle(bundle, { resolvePath: realPath });
    this.budget = tokenBudget(bundle.llmPolicy?.maxSessionTokens, this.budget.used);
    if (this.isPaused) this.#move("SESSION_RUNNING", this.chain);
    this.#wake();
    this.#follow(this.chain);
  }

  end(state: "SESSION_COMPLETED" | "SESSION_FAILED" | "SESSION_CANCELLED"): void {
    if (hasSessionEnded(this.#state)) throw ended(this.chain.sessionId);
    if (state === "SESSION_COMPLETED" && !this.isPaused) this.#move("SESSION_RUNNING", this.chain);
    this.#move(state, this.chain);
    this.#wake();
  }

  /** What was written of its state is written, or has failed. */
  written(): Promise<void> {
    return this.#written;
  }

  #wake(): void {
    this.#resumed?.resolve();
    this.#resumed = undefined;
  }

  /** A person comes before a tool, and a tool before the model. Paused and ended ones keep their state. */
  #follow(chain: IdChain): void {
    if (this.isPaused || hasSessionEnded(this.#state)) return;
    const waits = (["approval", "tool", "llm"] as const).find((each) => this.#waiting[each] > 0);
    const wanted = waits === undefined ? "SESSION_RUNNING" : stateWhile[waits];
    if (wanted === this.#state) return;
    this.#move("SESSION_RUNNING", chain);
    this.#move(wanted, chain);
  }

  #move(to: SessionState, chain: IdChain, note?: string): void {
    const from = this.#state;
    if (from === to) return;
    this.#state = moveSession(from, to);
    const payload = { from, to, ...(note === undefined ? {} : { note }) };
    this.#parts.events.say("session_state_changed", { chain, ...this.owner, payload });
    if (isKept(from) || isKept(to)) this.#write(to);
  }

  /** The model and the tools are waited for a moment at a time: the records say of them only that it runs. */
  #write(to: SessionState): void {
    const kept = isKept(to) ? to : "SESSION_RUNNING";
    const { workspaces, fault } = this.#parts;
    const { sessionId } = this.chain;
    this.#written = this.#written.then(async () => {
      try {
        const { status } = await workspaces.readSession(sessionId);
        if (status !== kept) await workspaces.setSessionState(sessionId, kept);
      } catch (error) {
        fault(`The state of the session ${sessionId} could not be written.`, error);
      }
    });
  }
}

async function before(signal: AbortSignal, awaited: Promise<void>): Promise<void> {
  if (signal.aborted) return;
  const left = Promise.withResolvers<void>();
  signal.addEventListener("abort", () => left.resolve(), { once: true });
  await Promise.race([awaited, left.promise]);
}

const isKept = (state: SessionState): boolean =>
  state !== "WAITING_FOR_LLM" && state !== "WAITING_FOR_TOOL" && state !== "SESSION_RUNNING";

const paused = (id: string) =>
  serverError("server/session-paused", `The policy of the session ${id} has run out; resume it for another.`, { id });

const ended = (id: string) =>
  serverError("server/session-ended", `The session ${id} has ended; continue it as another one.`, { id });
