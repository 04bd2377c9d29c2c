import * as z from "zod/mini";
import { failure, fieldsOf } from "../errors.ts";
import { type IdChain, parseChain, type SessionChain, type StepChain } from "../id-chain.ts";
import { limits } from "../limits.ts";
import {
  type BoundedContext,
  type Component,
  components,
  type EventPayload,
  type EventType,
  eventKinds,
  eventTypes,
  kindOf,
  type PlaceOf,
} from "./event-kinds.ts";
import { fieldSchema } from "./fields.ts";

export const severities = ["debug", "info", "warning", "error"] as const;
export type Severity = (typeof severities)[number];

/** The one envelope of audit and telemetry. The four ids of the chain are always there. */
export interface GovernedEvent<Type extends EventType = EventType> {
  readonly eventId: string;
  readonly eventType: Type;
  /** ISO 8601, in UTC. */
  readonly timestamp: string;
  readonly tenantId: string;
  readonly userId: string;
  readonly workspaceId: string;
  readonly sessionId: string;
  readonly taskId: string | null;
  readonly stepId: string | null;
  readonly component: Component;
  readonly boundedContext: BoundedContext;
  readonly severity: Severity;
  readonly payload: Readonly<Record<string, unknown>>;
}

type ChainOf<Type extends EventType> =
  PlaceOf<Type> extends "inside" ? StepChain : PlaceOf<Type> extends "outside" ? SessionChain : IdChain;

export interface EventFacts<Type extends EventType> {
  readonly eventId: string;
  readonly chain: ChainOf<Type>;
  readonly tenantId: string;
  readonly userId: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly component: Component;
  readonly severity?: Severity;
  readonly payload?: EventPayload<Type>;
}

const payloads = new Map(
  eventTypes.map((type) => {
    const fields = Object.entries(kindOf(type).fields);
    return [
      type,
      z.strictObject(Object.fromEntries(fields.map(([key, field]) => [key, z.optional(fieldSchema(field))]))),
    ];
  }),
);

const owner = z.string().check(z.minLength(1), z.maxLength(limits.nameCharsMax));
const envelope = z.strictObject({
  eventId: owner,
  eventType: z.enum(eventTypes as [EventType, ...EventType[]]),
  timestamp: z.iso.datetime({ offset: true }),
  tenantId: owner,
  userId: owner,
  workspaceId: z.string(),
  sessionId: z.string(),
  taskId: z.nullable(z.string()),
  stepId: z.nullable(z.string()),
  component: z.enum(components),
  boundedContext: z.string(),
  severity: z.enum(severities),
  payload: z.looseObject({}),
});

/** @throws CmError `governance/invalid-event` */
export function governedEvent<Type extends EventType>(type: Type, facts: EventFacts<Type>): GovernedEvent<Type> {
  if (!Number.isFinite(facts.at)) throw invalid(type, ["timestamp"]);
  const { workspaceId, sessionId, taskId, stepId } = facts.chain;
  return parseEvent({
    eventId: facts.eventId,
    eventType: type,
    timestamp: new Date(facts.at).toISOString(),
    tenantId: facts.tenantId,
    userId: facts.userId,
    ...{ workspaceId, sessionId, taskId, stepId },
    component: facts.component,
    boundedContext: kindOf(type).context,
    severity: facts.severity ?? "info",
    payload: facts.payload ?? {},
  }) as GovernedEvent<Type>;
}

/**
 * Reads an event from outside: a known type, a whole chain where that type happens, and no field that the type has not.
 * @throws CmError `governance/invalid-event`, `governance/invalid-chain`
 */
export function parseEvent(value: unknown): GovernedEvent {
  const result = z.safeParse(envelope, value);
  const type = result.success ? result.data.eventType : "";
  if (!result.success) throw invalid(type, fieldsOf(result.error.issues));
  const event = result.data;
  const { place, context } = kindOf(event.eventType);
  const isInside = parseChain(event).taskId !== null;
  if (place !== "either" && isInside !== (place === "inside")) throw invalid(type, ["taskId", "stepId"]);
  if (event.boundedContext !== context) throw invalid(type, ["boundedContext"]);
  const payload = z.safeParse(payloads.get(event.eventType) ?? z.never(), event.payload);
  if (!payload.success) throw invalid(type, fieldsOf(payload.error.issues));
  return Object.freeze({ ...event, boundedContext: context, payload: Object.freeze(event.payload) });
}

const invalid = (type: string, fields: readonly string[]) =>
  failure("governance/invalid-event", `The event ${type} is wrong in: ${fields.join(", ")}; build it again.`, {
    type,
    fields,
  });

export const isEventType = (type: string): type is EventType => Object.hasOwn(eventKinds, type);
