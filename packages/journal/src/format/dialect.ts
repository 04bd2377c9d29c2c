import { isRawObject } from "../json-lines.ts";
import { newShortSessionId, newUuid7 } from "./ids.ts";
import type { SessionEntry, SessionHeader, SessionModelChangeEntry } from "./session-entry.ts";

/** `omp`: oh-my-pi, and what its documentation says. `pi`: the Pi coding agent. */
export type DialectName = "omp" | "pi";

/** How one of the two programs writes what both know. */
export interface Dialect {
  readonly name: DialectName;
  newSessionId(now: number): string;
  /** Whether long strings are cut and images go to the blob store. */
  readonly shortens: boolean;
  /** Where the session's name stands: in the header, which is rewritten, or in the newest entry of a kind of its own. */
  readonly nameIn: "header" | "entry";
  /** What a summary of a branch says it is from. */
  summaryFrom(target: string | null, left: string | null): string;
  /** An entry of either dialect as this one writes it; fields and kinds that only the other knows stay. */
  encode(entry: SessionEntry): SessionEntry;
}

const omp: Dialect = {
  name: "omp",
  newSessionId: newShortSessionId,
  shortens: true,
  nameIn: "header",
  summaryFrom: (target) => target ?? "root",
  encode(entry) {
    if (entry.type === "model_change") return toOneModelField(entry);
    return hasOrigin(entry) ? renamed(entry, "fromHook", "fromExtension") : entry;
  },
};

const pi: Dialect = {
  name: "pi",
  newSessionId: newUuid7,
  shortens: false,
  nameIn: "entry",
  summaryFrom: (_target, left) => left ?? "root",
  encode(entry) {
    if (entry.type === "model_change") return toTwoModelFields(entry);
    return hasOrigin(entry) ? renamed(entry, "fromExtension", "fromHook") : entry;
  },
};

export const dialects: Readonly<Record<DialectName, Dialect>> = { omp, pi };

/**
 * Which program wrote a file, by what only one of them writes. What both may have written is taken for oh-my-pi's.
 */
export function dialectOf(header: SessionHeader | undefined, entries: readonly SessionEntry[]): DialectName {
  if (header?.title !== undefined) return "omp";
  for (const entry of entries) {
    if (onlyInPi(entry)) return "pi";
    if (onlyInOmp(entry)) return "omp";
  }
  return "omp";
}

/** "provider/id" of a model change, however it was written. */
export function modelNamed(entry: SessionModelChangeEntry): string | undefined {
  if (typeof entry.model === "string") return entry.model;
  return typeof entry.provider === "string" && typeof entry.modelId === "string"
    ? `${entry.provider}/${entry.modelId}`
    : undefined;
}

function toOneModelField(entry: SessionModelChangeEntry): SessionModelChangeEntry {
  const model = modelNamed(entry);
  if (model === undefined || entry.model !== undefined) return entry;
  const { provider: _provider, modelId: _modelId, ...rest } = entry;
  return { ...rest, model };
}

/** A provider's name has no slash, a model's may. */
function toTwoModelFields(entry: SessionModelChangeEntry): SessionModelChangeEntry {
  const { model, ...rest } = entry;
  const slash = model?.indexOf("/") ?? -1;
  if (model === undefined || entry.provider !== undefined || slash < 0) return entry;
  return { ...rest, provider: model.slice(0, slash), modelId: model.slice(slash + 1) };
}

const hasOrigin = ({ type }: SessionEntry): boolean => type === "compaction" || type === "branch_summary";

function renamed(entry: SessionEntry, from: string, to: string): SessionEntry {
  if (!(from in entry) || to in entry) return entry;
  return Object.fromEntries(
    Object.entries(entry).map(([name, value]) => [name === from ? to : name, value]),
  ) as unknown as SessionEntry;
}

const kindsOfPi: ReadonlySet<string> = new Set(["session_info", "context_edit", "usage"]);
const kindsOfOmp: ReadonlySet<string> = new Set(["ttsr_injection", "session_init", "mode_change"]);

function onlyInPi(entry: SessionEntry): boolean {
  if (kindsOfPi.has(entry.type) || "fromHook" in entry) return true;
  if (entry.type === "model_change") return entry.modelId !== undefined;
  return entry.type === "message" && isRawObject(entry.message) && entry.message.role === "system";
}

function onlyInOmp(entry: SessionEntry): boolean {
  return kindsOfOmp.has(entry.type) || "fromExtension" in entry || (entry.type === "model_change" && "model" in entry);
}
