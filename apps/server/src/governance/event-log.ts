import {
  type Component,
  type EventFacts,
  type EventType,
  limits as eventLimits,
  type GovernedEvent,
  governedEvent,
  type KnownNames,
  telemetryView,
} from "@cm/governance";
import { limits } from "../limits.ts";
import type { AuditSpool, TaskName } from "./audit-spool.ts";
import { type Telemetry, TelemetryQueue } from "./telemetry-queue.ts";

/** Where events go: what is emitted waits there, and no step waits for it. */
export interface EventSink {
  /** How many are not written yet. */
  readonly waiting: number;
  /** How many were given up. */
  readonly lost: number;
  emit(event: GovernedEvent): void;
  flush(): Promise<boolean>;
}

export interface EventLogOptions {
  readonly audit: EventSink;
  /** Where what is said lies until it is written. */
  readonly spool?: AuditSpool | undefined;
  readonly telemetry?: Telemetry | undefined;
  readonly now: () => number;
  /** For what no caller is told of. */
  readonly fault: (what: string, error: unknown) => void;
}

export type Facts<Type extends EventType> = Omit<EventFacts<Type>, "eventId" | "at" | "component"> & {
  readonly component?: Component;
};

/** Events of governed sessions, each into the audit and, without content, into telemetry. Saying one never fails. */
export class EventLog {
  /** Names of tools, models and rules that telemetry may tell. */
  readonly names = new Set<string>();
  readonly #options: EventLogOptions;
  readonly #telemetry: TelemetryQueue | undefined;
  #left = Number.MAX_SAFE_INTEGER;
  #flushing: NodeJS.Timeout | undefined;

  constructor(options: EventLogOptions) {
    this.#options = options;
    const { telemetry, fault } = options;
    this.#telemetry = telemetry === undefined ? undefined : new TelemetryQueue({ telemetry, fault });
  }

  say<Type extends EventType>(type: Type, facts: Facts<Type>): void {
    const event = this.made(type, facts);
    if (event === undefined) return;
    this.#options.spool?.add({ event });
    this.#tell(event);
  }

  /**
   * Writes the end of a task, and tells what there is to tell of it. That lies in the spool before: where this server is
   * killed behind the write, its next start tells it.
   */
  async withEnd(ends: TaskName, said: readonly (GovernedEvent | undefined)[], write: () => Promise<unknown>) {
    const { spool } = this.#options;
    const events = said.filter((event) => event !== undefined);
    for (const event of events) spool?.hold({ event, ends });
    try {
      await write();
      for (const event of events) this.#tell(event);
    } finally {
      for (const _ of events) spool?.release();
    }
  }

  /** An event that is not told yet; undefined where it cannot be told. */
  made<Type extends EventType>(type: Type, facts: Facts<Type>): GovernedEvent | undefined {
    try {
      const at = this.#options.now();
      const payload = facts.payload === undefined ? {} : { payload: withoutExcess(facts.payload) };
      const whole = { component: "LocalAgentHost", ...facts, ...payload, eventId: this.#nextId(), at };
      return governedEvent(type, whole as unknown as EventFacts<Type>) as GovernedEvent;
    } catch (error) {
      this.#options.fault(`The event ${type} could not be told.`, error);
      return undefined;
    }
  }

  #tell(event: GovernedEvent): void {
    this.#options.audit.emit(event);
    this.#flushSoon();
    const known: KnownNames = { names: this.names };
    this.#telemetry?.push(() => telemetryView(event, known));
  }

  /** All that waits is written, or stays for the next time. */
  async flush(): Promise<void> {
    clearTimeout(this.#flushing);
    this.#flushing = undefined;
    try {
      const { audit, spool } = this.#options;
      await audit.flush();
      // What was given up because too much waited is in the spool alone.
      if (audit.waiting === 0 && audit.lost === 0) spool?.clear();
    } catch (error) {
      this.#options.fault("The audit could not be written.", error);
    }
  }

  /** Every event is written and told, or `limits.eventsCloseMs` has passed. */
  async close(): Promise<void> {
    const late = new Promise<void>((resolve) => setTimeout(resolve, limits.eventsCloseMs).unref());
    await Promise.race([Promise.all([this.flush(), this.#telemetry?.told()]), late]);
  }

  #flushSoon(): void {
    this.#flushing ??= setTimeout(() => void this.flush(), limits.auditFlushMs).unref();
  }

  /** Lists are newest first, and within a millisecond by id: so what is said later has the smaller id. */
  #nextId(): string {
    this.#left -= 1;
    return `${this.#left.toString(36).padStart(11, "0")}-${crypto.randomUUID()}`;
  }
}

/** A text that is longer than an event's may be is told as far as it goes: a call is not left out for its arguments. */
function withoutExcess(payload: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const isLong = (value: unknown): value is string =>
    typeof value === "string" && value.length > eventLimits.eventTextCharsMax;
  if (!Object.values(payload).some(isLong)) return payload;
  return Object.fromEntries(
    Object.entries(payload).map(([name, value]) => {
      if (!isLong(value)) return [name, value];
      const mark = ` [cut: it has ${value.length} characters]`;
      return [name, `${value.slice(0, eventLimits.eventTextCharsMax - mark.length).toWellFormed()}${mark}`];
    }),
  );
}
