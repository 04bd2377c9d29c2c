import { type AssistantEntry, argsPart, type LogEntry, resultPart, type UserEntry } from "@cm/context-log";
import { shortestEnds } from "./cut-newest.ts";
import type { FittedPrompt } from "./fitted-prompt.ts";

const reason = "window: dialogue compacted";

/**
 * What was answered longest ago keeps its two ends: turns that are over down to a low mark, so that not every request
 * has to do it again, the current one only as far as it must. An answer of the current turn that carries thinking stays
 * as it is, since providers check that it does. Pictures of earlier prompts go, too; the person's own words stay whole.
 */
export function compactDialogue(
  prompt: FittedPrompt,
  { low, bytesMax }: { readonly low: number; readonly bytesMax: number },
): void {
  if (prompt.bytes <= bytesMax) return;
  const { log, turn } = prompt.view;
  for (const entry of log) {
    if (prompt.bytes <= (entry.turn < turn ? low : bytesMax)) return;
    if (entry.kind === "assistant") compact(prompt, entry);
    else if (entry.kind === "user" && entry.turn < turn && entry.attachments.length > 0) leavePictures(prompt, entry);
  }
}

/** Its words stay whole. */
function leavePictures(prompt: FittedPrompt, { at, text }: UserEntry): void {
  if (!prompt.isProtected(resultPart(at)))
    prompt.shrink(resultPart(at), { form: "spans", head: text.length, tail: 0 }, reason);
}

/** Prompts that no window has room for: without this nothing could be sent at all. The newest one comes last. */
export function cutPrompts(prompt: FittedPrompt, bytesMax: number): void {
  if (prompt.bytes <= bytesMax) return;
  for (const entry of prompt.view.log) {
    if (prompt.bytes <= bytesMax) return;
    if (entry.kind === "user") compact(prompt, entry);
  }
}

/** The same of turns that are over alone, on request, after a summary of them for the agent. */
export function compactEarlier(prompt: FittedPrompt, bytesMax: number): void {
  for (const entry of prompt.view.log) {
    if (prompt.bytes <= bytesMax || entry.turn >= prompt.view.turn) return;
    compact(prompt, entry);
  }
}

function compact(prompt: FittedPrompt, entry: LogEntry): void {
  if (prompt.isProtected(resultPart(entry.at)) || prompt.isOmitted(entry.at)) return;
  if (entry.kind === "user") prompt.shrink(resultPart(entry.at), shortestEnds, reason);
  if (entry.kind === "assistant") compactAnswer(prompt, entry);
}

function compactAnswer(prompt: FittedPrompt, entry: AssistantEntry): void {
  const isOver = entry.turn < prompt.view.turn;
  if (!isOver && entry.thinking.length > 0) return;
  prompt.shrink(resultPart(entry.at), shortestEnds, reason);
  if (!isOver) return;
  for (const call of entry.calls.keys()) {
    const key = argsPart(entry.at, call);
    if (prompt.formOf(key).form !== "reference" && !prompt.isProtected(key))
      prompt.shrink(key, { form: "reference" }, reason);
  }
}
