import type { CompactionEntry, Entry } from "./entry.ts";
import { activePath, type Journal } from "./journal.ts";
import { type Message, toTimestamp } from "./message.ts";

/** The model's context at a leaf, and the settings at that point. */
export interface JournalContext {
  /** In the order of the prompt: a compaction's summary first, then what it kept, then what came after it. */
  readonly messages: readonly Message[];
  readonly thinkingLevel: string;
  /** Role to "provider/model"; `default` is the agent itself. */
  readonly models: ReadonlyMap<string, string>;
  /** oh-my-pi: such as `plan`; `none` where nothing was chosen. */
  readonly mode: string;
  readonly modeData: unknown;
  /** oh-my-pi: rules that were put into the context on this path, each once. */
  readonly injectedRules: readonly string[];
  /** Entry id to label, from the whole file. */
  readonly labels: ReadonlyMap<string, string>;
  /** The name that the user gave the session last, from the whole file. */
  readonly name: string | undefined;
}

/**
 * Rebuilds the context as Pi's `buildSessionContext` does.
 * @param leafId as in `activePath`.
 */
export function contextOf(journal: Journal, leafId?: string | null): JournalContext {
  const path = activePath(journal, leafId);
  return {
    messages: afterCompaction(path).flatMap((entry) => messageOf(entry) ?? []),
    thinkingLevel: last(path, thinkingLevelOf) ?? journal.header.thinkingLevel ?? "off",
    models: modelsOf(path, journal),
    ...modeOf(path),
    injectedRules: [...new Set(path.flatMap((entry) => (entry.type === "ttsr_injection" ? entry.injectedRules : [])))],
    labels: labelsOf(journal.entries),
    name: nameOf(journal),
  };
}

/** The message of an entry in the context; undefined for entries that only keep state. */
export function messageOf(entry: Entry): Message | undefined {
  const timestamp = toTimestamp(entry.timestamp);
  switch (entry.type) {
    case "message":
      return entry.message;
    case "custom_message": {
      const { customType, content, details } = entry;
      return { role: "custom", customType, content, display: entry.display ?? false, details, timestamp };
    }
    case "branch_summary":
      // An empty one marks an abandoned branch without a summary.
      if (entry.summary === "") return undefined;
      return { role: "branchSummary", summary: entry.summary, fromId: entry.fromId ?? "root", timestamp };
    case "compaction":
      return { role: "compactionSummary", summary: entry.summary, tokensBefore: entry.tokensBefore ?? 0, timestamp };
    default:
      return undefined;
  }
}

/** The last compaction of the path, what it kept, and what followed. Older compactions are part of its summary. */
function afterCompaction(path: readonly Entry[]): readonly Entry[] {
  const at = path.findLastIndex((entry) => entry.type === "compaction");
  const compaction = path[at] as CompactionEntry | undefined;
  if (compaction === undefined) return path;
  const before = path.slice(0, at);
  const from = before.findIndex((entry) => entry.id === compaction.firstKeptEntryId);
  const kept = from < 0 ? [] : before.slice(from).filter((entry) => entry.type !== "compaction");
  return [compaction, ...kept, ...path.slice(at + 1)];
}

/** The newest value that an entry has. */
function last<T>(entries: readonly Entry[], read: (entry: Entry) => T | undefined): T | undefined {
  for (let index = entries.length - 1; index >= 0; index -= 1) {
    const entry = entries[index];
    const value = entry === undefined ? undefined : read(entry);
    if (value !== undefined) return value;
  }
  return undefined;
}

/** The last name given, also where it takes the name away; without one, what the header says. */
function nameOf({ entries, header }: Journal): string | undefined {
  const info = last(entries, (entry) => (entry.type === "session_info" ? entry : undefined));
  return (info === undefined ? header.title : info.name)?.trim() || undefined;
}

function thinkingLevelOf(entry: Entry): string | undefined {
  return entry.type === "thinking_level_change" ? entry.thinkingLevel : undefined;
}

function modeOf(path: readonly Entry[]): { readonly mode: string; readonly modeData: unknown } {
  const entry = last(path, (candidate) => (candidate.type === "mode_change" ? candidate : undefined));
  return { mode: entry?.mode ?? "none", modeData: entry?.data };
}

/** An explicit change wins; without one for `default`, the model that answered last counts. */
function modelsOf(path: readonly Entry[], { header }: Journal): ReadonlyMap<string, string> {
  const models = new Map<string, string>();
  for (const entry of path) {
    if (entry.type !== "model_change") continue;
    const model = entry.model ?? qualified(entry.provider, entry.modelId);
    if (model !== undefined) models.set(entry.role ?? "default", model);
  }
  if (!models.has("default")) {
    const model = last(path, answeredBy) ?? qualified(header.provider, header.modelId);
    if (model !== undefined) models.set("default", model);
  }
  return models;
}

function answeredBy(entry: Entry): string | undefined {
  if (entry.type !== "message" || entry.message.role !== "assistant") return undefined;
  return qualified(entry.message.provider, entry.message.model);
}

function qualified(provider: string | undefined, model: string | undefined): string | undefined {
  return provider === undefined || model === undefined ? undefined : `${provider}/${model}`;
}

function labelsOf(entries: readonly Entry[]): ReadonlyMap<string, string> {
  const labels = new Map<string, string>();
  for (const entry of entries) {
    if (entry.type !== "label") continue;
    if (entry.label === undefined || entry.label === "") labels.delete(entry.targetId);
    else labels.set(entry.targetId, entry.label);
  }
  return labels;
}
