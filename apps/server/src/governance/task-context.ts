import type { EventPayload, EventType, GovernedEvent, IdChain, StepChain } from "@cm/governance";
import { stepChain } from "@cm/governance";
import type { JsonObject } from "@cm/object-model";
import type { NewArtifact } from "@cm/workspace";
import type { Approvals } from "./approvals.ts";
import type { EventLog } from "./event-log.ts";
import type { TaskSetting } from "./governance-options.ts";
import type { GovernedSession } from "./governed-session.ts";
import type { NetworkCut } from "./network-cut.ts";

export interface TaskParts {
  readonly taskId: string;
  readonly session: GovernedSession;
  readonly setting: TaskSetting;
  /** Steps that were taken before, where the task goes on after a crash. */
  readonly taken: number;
  readonly events: EventLog;
  readonly approvals: Approvals;
  readonly now: () => number;
  readonly networkCut: () => Promise<NetworkCut | undefined>;
  /** Tells those who follow the run. */
  readonly tell: (name: string, value: JsonObject) => void;
  /** Fires when the run is interrupted. */
  readonly signal: AbortSignal;
}

/** Of which step an event is, by default the one that goes on, and how bad. */
interface Told {
  readonly chain?: IdChain;
  readonly severity?: "warning";
}

/** What the guards of a task's model and of its tools share: where it is, and who is told. */
export class TaskContext {
  readonly parts: TaskParts;
  /** Steps that are over. */
  taken: number;
  /** Why the task was stopped, in one word; undefined for one that came to its end. */
  stopped: string | undefined;
  /** What its tools made beside their outputs. */
  readonly made: NewArtifact[] = [];
  readonly #cancel = new AbortController();

  constructor(parts: TaskParts) {
    this.parts = parts;
    this.taken = parts.taken;
    const { approvals, session, taskId } = parts;
    const nobodyNeedsThem = () => approvals.end({ sessionId: session.chain.sessionId, taskId });
    for (const signal of [parts.signal, this.#cancel.signal])
      signal.addEventListener("abort", nobodyNeedsThem, { once: true });
  }

  /** Of the step that goes on, or comes next. */
  get chain(): StepChain {
    const { workspaceId, sessionId } = this.parts.session.chain;
    return stepChain({ workspaceId, sessionId, taskId: this.parts.taskId, stepId: `step-${this.taken + 1}` });
  }

  /** Of the newest step that is over. */
  get lastChain(): StepChain {
    const { workspaceId, sessionId } = this.parts.session.chain;
    const number = Math.max(1, this.taken);
    return stepChain({ workspaceId, sessionId, taskId: this.parts.taskId, stepId: `step-${number}` });
  }

  get cancelled(): AbortSignal {
    return this.#cancel.signal;
  }

  cancel(): void {
    this.#cancel.abort();
  }

  say<Type extends EventType>(type: Type, payload: EventPayload<Type>, of: Told = {}): void {
    this.parts.events.say(type, this.#facts(payload, of));
  }

  /** An event that is told later. */
  toTell<Type extends EventType>(type: Type, payload: EventPayload<Type>, of: Told = {}): GovernedEvent | undefined {
    return this.parts.events.made(type, this.#facts(payload, of));
  }

  /** Which chain a type takes is checked where the event is made. */
  #facts(payload: object, { chain = this.chain, severity }: Told): never {
    const { owner } = this.parts.session;
    return { chain, ...owner, payload, ...(severity === undefined ? {} : { severity }) } as never;
  }
}
