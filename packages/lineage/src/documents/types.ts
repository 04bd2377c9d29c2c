import { coreDocumentTypes, type DocumentType, type DocumentTypes } from "@cm/object-model";
import * as z from "zod/mini";
import { lineageLimits } from "../limits.ts";
import { isLineageId } from "./ids.ts";

const name = z.string().check(z.minLength(1), z.maxLength(lineageLimits.nameCharsMax));
const id = z.string().check(z.refine(isLineageId, "expected an id"));
const count = z.int().check(z.gte(0));
/** A JSON value handed through as it is; canonical JSON checks it when the document is sealed. */
const json = z.unknown();
const object = z.custom<Readonly<Record<string, unknown>>>(
  (value) => typeof value === "object" && value !== null && !Array.isArray(value),
  "expected a JSON object",
);

export const usage = z.strictObject({
  total_tokens: count,
  prompt_tokens: count,
  completion_tokens: count,
  model_requests: count,
});

const stepState = z.strictObject({
  step: z.strictObject({ session: name, n: count }),
  basis: z.string().check(z.minLength(1), z.maxLength(1_024)),
});

const environment = z.strictObject({
  mode: z.enum(["local", "container"]),
  workspace: z.optional(name),
  projects: z.optional(z.array(z.string().check(z.minLength(1), z.maxLength(lineageLimits.projectCharsMax)))),
});

const pendingCall = z.strictObject({ tool_call_id: name, kind: z.enum(["approval", "call"]) });

/** The seed's conversation index, with the run that holds the conversation. */
const conversation = z.strictObject({
  content: z.null(),
  title: z.nullable(z.string().check(z.maxLength(lineageLimits.titleCharsMax))),
  default_preset_id: z.nullable(name),
  metadata: object,
  status: z.enum(["active", "archived"]),
  created_at: count,
  updated_at: count,
  /** The agent run that is running: the claim on the conversation. */
  running: z.nullable(id),
  /** The greatest `created_us` of its agent runs. */
  last_us: count,
});

/** The seed's session: one run, and its snapshot once it is committed. */
const run = z.strictObject({
  content: z.null(),
  conversation_id: id,
  parent_session_id: z.nullable(id),
  status: z.enum(["created", "committed", "awaiting_tool_results", "failed", "archived"]),
  /** Whether another run may go on from here: committed or awaiting. */
  is_snapshot: z.boolean(),
  session_type: z.enum(["agent", "async_subagent"]),
  transport: z.enum(["sse", "stream"]),
  stream_key: z.nullable(name),
  spawned_by: z.nullable(id),
  preset_id: z.nullable(name),
  subagent_name: z.nullable(name),
  environment: z.nullable(environment),
  input: json,
  output: z.nullable(z.string()),
  run_summary: z.nullable(z.strictObject({ duration_ms: count, usage, usage_by_model: z.record(z.string(), usage) })),
  /** Where the state is: a step, or the state store. */
  state: z.nullable(z.union([stepState, z.literal("stored")])),
  /** Calls that wait for an answer from outside. */
  pending: z.array(pendingCall),
  /** What was answered to the parent's pending calls. */
  resolved: z.array(object),
  failure: z.nullable(z.string()),
  owner: z.strictObject({ name, incarnation: name }),
  created_at: count,
  ended_at: z.nullable(count),
  /** In microseconds, greater than that of every earlier run it can follow. */
  created_us: count,
});

const mail = z.strictObject({
  content: z.null(),
  conversation_id: id,
  session_id: id,
  subagent_name: z.nullable(name),
  outcome: z.enum(["result", "failed"]),
  /** The run that took it. */
  consumed_by: z.nullable(id),
  created_us: count,
});

/** One process that runs agents. Its runs live as long as its lease, in this incarnation. */
const owner = z.strictObject({
  content: z.null(),
  incarnation: name,
  expires_at: count,
  /** Where others reach it. */
  address: z.optional(z.string().check(z.minLength(1), z.maxLength(lineageLimits.addressCharsMax))),
});

const after = (prefix: string, accepts: (rest: string) => boolean) => (whole: string) =>
  whole.startsWith(`${prefix}:`) && accepts(whole.slice(prefix.length + 1));

const infrastructure = (type: string, payload: DocumentType["payload"], indexed?: DocumentType["indexed"]) => ({
  type,
  role: "infrastructure" as const,
  sourced: false,
  acceptsId: after(type, type === "run_owner" ? (rest) => /^[\w.!~*'()%-]+$/.test(rest) : isLineageId),
  payload,
  ...(indexed === undefined ? {} : { indexed }),
});

const types: readonly DocumentType[] = [
  infrastructure("conversation", conversation, {
    fields: ["status", "default_preset_id", "metadata"],
    newest: "created_at",
  }),
  infrastructure("run", run, {
    fields: [
      "conversation_id",
      "parent_session_id",
      "status",
      "is_snapshot",
      "session_type",
      "transport",
      "spawned_by",
      "preset_id",
      "subagent_name",
    ],
    newest: "created_us",
  }),
  infrastructure("mail", mail, { fields: ["conversation_id", "consumed_by"], newest: "created_us" }),
  infrastructure("run_owner", owner),
];

/** The types that a store must accept: hand them to it when it is opened. */
export function withLineageTypes(base: DocumentTypes = coreDocumentTypes): DocumentTypes {
  return base.extend(...types);
}

export const lineageTypes: DocumentTypes = withLineageTypes();

export type UsageSummary = Readonly<z.infer<typeof usage>>;
export type StepState = Readonly<z.infer<typeof stepState>>;
export type Environment = Readonly<z.infer<typeof environment>>;
export type PendingCall = Readonly<z.infer<typeof pendingCall>>;
export type ConversationFields = Readonly<Omit<z.infer<typeof conversation>, "content">>;
export type RunFields = Readonly<Omit<z.infer<typeof run>, "content">>;
export type MailFields = Readonly<Omit<z.infer<typeof mail>, "content">>;
export type OwnerFields = Readonly<Omit<z.infer<typeof owner>, "content">>;
export type RunStatus = RunFields["status"];
export type RunSummary = NonNullable<RunFields["run_summary"]>;
