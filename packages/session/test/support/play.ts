import type { AssembleOptions, ContextPolicy, PromptDecision, RenderedPrompt, Renderer } from "@cm/context-log";
import type { ObjectStore, Source } from "@cm/object-model";
import { openSession, type Session } from "../../src/index.ts";
import { MapSource } from "./map-source.ts";
import { reads } from "./messages.ts";
import { quietPolicy, restlessPolicy } from "./policies.ts";
import { openLog, rendererFor } from "./renderers.ts";
import type { Action } from "./script.ts";

export interface Stage {
  readonly store: ObjectStore;
  readonly renderer: Renderer;
  readonly seed: number;
  readonly session?: string;
  readonly source?: MapSource;
  readonly tellResumed?: boolean;
  /** Default: a restless one. */
  readonly policy?: ContextPolicy;
}

/** A step as its writer had it. */
export interface PlayedStep {
  /** The session that it is in: a fork where another writer was faster. */
  readonly session: string;
  readonly n: number;
  readonly prompt: RenderedPrompt;
  readonly decision: PromptDecision;
}

/** Plays a script in a session of a store, and keeps what was sent. */
export class Play {
  readonly source: MapSource;
  readonly steps: PlayedStep[] = [];
  readonly stage: Stage;
  session: Session;
  /** What is said of the provider's cache, up to the next step. */
  cache: NonNullable<AssembleOptions["cache"]> = "warm";
  #foreign: Session | undefined;

  private constructor(stage: Stage, source: MapSource, session: Session) {
    this.stage = stage;
    this.source = source;
    this.session = session;
  }

  static async open(stage: Stage): Promise<Play> {
    const source = stage.source ?? new MapSource();
    return new Play(stage, source, await open(stage, source as Source, "You are a test."));
  }

  /** Opens one that is there, such as a fork: its system prompt is what it was. */
  static async goOn(stage: Stage): Promise<Play> {
    const source = stage.source ?? new MapSource();
    return new Play(stage, source, await open(stage, source as Source));
  }

  /** Goes on in a new client that knows only what the store has. */
  async reopen(): Promise<void> {
    await this.session.abandon();
    this.session = await open({ ...this.stage, session: this.session.session }, this.source as Source);
  }

  /** Looks at the files, as a new client does when it opens the session: a request is made and given up. */
  async look(): Promise<void> {
    await this.session.assemble();
    await this.session.receive([]);
  }

  /** Goes on in a new client, whose source serves the same things from somewhere else. */
  async resume(source: Source): Promise<void> {
    this.session = await open(this.stage, source);
  }

  async do(action: Action): Promise<void> {
    switch (action.do) {
      case "receive":
        return this.session.receive(action.messages);
      case "assemble":
        await this.session.assemble({ cache: this.cache, ...action.options });
        return;
      case "record": {
        const prompt = await this.session.assemble({ cache: this.cache });
        const { n, decision } = await this.session.record(action.record);
        this.cache = "warm";
        this.steps.push({ session: this.session.session, n, prompt, decision });
        return;
      }
      case "command":
        await this.session.command(action.command);
        return;
      case "write":
        if (action.text === undefined) this.source.files.delete(action.path);
        else this.source.files.set(action.path, action.text.toWellFormed());
        return;
      case "unplug":
        if (action.unplugged) this.source.unreachable.add(action.path);
        else this.source.unreachable.delete(action.path);
        return;
      case "mount":
        this.source.displayRoot = action.displayRoot;
        return;
      case "foreign read":
        return this.#readElsewhere(action.path);
    }
  }

  async #readElsewhere(path: string): Promise<void> {
    const { store } = this.stage;
    this.#foreign ??= await openSession({
      store,
      layout: { policy: quietPolicy, renderer: openLog },
      sources: [this.source as Source],
      session: "elsewhere",
      now: () => 1,
    });
    await this.#foreign.assemble();
    await this.#foreign.record(reads(path, "elsewhere"));
  }
}

function open(
  { store, renderer, seed, session = "s", tellResumed = false, policy = restlessPolicy(seed) }: Stage,
  source: Source,
  systemPrompt?: string,
): Promise<Session> {
  return openSession({
    store,
    layout: { policy, renderer },
    rendererFor,
    sources: [source],
    session,
    ...(systemPrompt === undefined ? {} : { systemPrompt }),
    headChars: 1_000,
    keyframeEverySteps: 5,
    // Small, so that entries leave and come back all the time.
    poolEntriesMax: 4,
    owner: "play",
    tellResumed,
    now: () => 1_700_000_000_000,
  });
}
