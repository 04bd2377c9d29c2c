import type { ContextPolicy, ContextView, LogEntry, PartForm, PromptDecision } from "@cm/context-log";
import { messageContent } from "@cm/render";
import { charsPerToken, folded, partsOf } from "../part-sizes.ts";
import { cutOf, piCompactionLayout } from "./pi-compaction-layout.ts";

export interface CompactionOptions {
  readonly windowTokens: number;
  /** Left for the answer: above the window without it the log is compacted. */
  readonly reserveTokens: number;
  readonly keepRecentTokens: number;
}

/** Pi's compaction (defaults: reserve 16,384, keep 20,000), without the model that writes the summary. */
export function piCompactionPolicy(options: CompactionOptions): ContextPolicy {
  return { contract: "policy/1", name: "pi-compaction", decide: (view) => decide(view, options) };
}

function decide(view: ContextView, options: CompactionOptions): PromptDecision {
  const size = view.ledger.headChars + piCompactionLayout.render(view, {}).chars;
  if (size <= (options.windowTokens - options.reserveTokens) * charsPerToken) return {};
  const before = cutOf(view);
  const cut = firstKept(view.log, options.keepRecentTokens * charsPerToken);
  if (cut === undefined || cut <= before) return {};
  const parts = view.log.slice(before, cut).flatMap(partsOf);
  const forms = Object.fromEntries(parts.map((part): [string, PartForm] => [part, folded]));
  return { forms, fold: { cut: 0, reason: "compaction" } };
}

/** The oldest entry that may be the first one and behind which no more than so many characters stand. */
function firstKept(log: readonly LogEntry[], keepChars: number): number | undefined {
  const cuts = cutsOf(log);
  let chars = 0;
  let at = log.length;
  while (at > 0 && chars < keepChars) chars += charsOf(log[--at]);
  return cuts.find((cut) => cut >= at);
}

/** A cut stands behind a result, and never between a call and its result. */
function cutsOf(log: readonly LogEntry[]): readonly number[] {
  const answered = new Set(log.flatMap((entry) => (entry.kind === "result" ? [entry.callId] : [])));
  const open = new Set<string>();
  const cuts: number[] = [];
  for (const entry of log) {
    if (entry.kind === "assistant") for (const { callId } of entry.calls) if (answered.has(callId)) open.add(callId);
    if (entry.kind !== "result") continue;
    open.delete(entry.callId);
    if (open.size === 0 && log[entry.at + 1] !== undefined) cuts.push(entry.at + 1);
  }
  return cuts;
}

function charsOf(entry: LogEntry | undefined): number {
  if (entry?.kind === "assistant") return messageContent(entry).length;
  return entry?.kind === "user" || entry?.kind === "result" ? (entry.text?.length ?? 0) : 0;
}
