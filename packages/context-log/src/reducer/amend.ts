import { type Amended, canonicalJson, type JsonObject } from "@cm/object-model";
import { isNote } from "../appended-entries.ts";
import type { Amendment } from "../harness.ts";
import type { AssistantEntry, LogEntry, ResultEntry, UserEntry } from "../log-entries.ts";
import { withSeenPart } from "../objects/view-objects.ts";
import { plainCharsOf } from "../omitted-entries.ts";
import type { LogState, MutableState } from "../state/log-state.ts";
import { type TextEdit, textEdits, withEdits } from "../state/text-edits.ts";

/**
 * Takes in what others made of messages: entries with other text, in a new log, and tool calls' objects with it, so that
 * nothing that is folded or brought back later has what was taken out. A text that was erased stays as it is.
 * @returns the places of the entries that changed
 */
export function amend(state: MutableState, amended: Amended): readonly number[] {
  if (amended.length === 0) return [];
  const places: number[] = [];
  const log = [...state.log];
  for (const { at, call, edits } of amended) {
    const now = log[at];
    if (now === undefined || !isSpoken(now) || (call === undefined && state.erasedAt.has(at))) continue;
    const recorded = state.recorded.get(at) ?? now;
    const entry = call === undefined ? withText(now, recorded, edits) : withArgs(now, recorded, { call, edits });
    if (entry === undefined) continue;
    state.recorded.set(at, recorded);
    state.amendedAt.set(`${at}.${call ?? ""}`, state.depth);
    state.plainChars += plainCharsOf(entry) - plainCharsOf(now);
    log[at] = entry;
    places.push(at);
    if (entry.kind !== "result") continue;
    const object = state.objects.get(entry.object);
    if (object !== undefined) state.objects.set(entry.object, { ...object, text: entry.text });
    showAgain(state, entry);
  }
  state.log = log;
  return places;
}

/** Neither a note of ours nor the place of what left the prompt. */
const isSpoken = (entry: LogEntry): entry is UserEntry | AssistantEntry | ResultEntry =>
  !isNote(entry) && entry.kind !== "omitted";

/** A file without a text shows the newest part that was seen of it. */
function showAgain({ seenAt, objects }: MutableState, { at, spans, text }: ResultEntry): void {
  for (const { file } of spans) {
    const object = objects.get(file);
    if (object !== undefined && text !== null && seenAt.get(file) === at) objects.set(file, withSeenPart(object, text));
  }
}

function withText(now: LogEntry, recorded: LogEntry, edits: readonly TextEdit[]): LogEntry | undefined {
  if (!isSpoken(now) || !isSpoken(recorded) || recorded.text === null) return undefined;
  return { ...now, text: withEdits(recorded.text, edits) };
}

function withArgs(
  now: LogEntry,
  recorded: LogEntry,
  { call, edits }: { readonly call: number; readonly edits: readonly TextEdit[] },
): AssistantEntry | undefined {
  const args = recorded.kind === "assistant" ? recorded.calls[call]?.args : undefined;
  if (now.kind !== "assistant" || args === undefined) return undefined;
  const json = withEdits(canonicalJson(args), edits);
  return {
    ...now,
    calls: now.calls.map((one, place) => (place === call ? { ...one, args: parsed(json, args) } : one)),
  };
}

/** Recorded edits give JSON again; where an erasure changed what they are of, the arguments stay as they are. */
function parsed(json: string, args: JsonObject): JsonObject {
  try {
    return JSON.parse(json);
  } catch {
    return args;
  }
}

/** What amendments change in the log as it stands; none where it says so already. */
export function amendedBy(state: LogState, amendments: readonly Amendment[]): Amended {
  return amendments.flatMap(({ at, text, args }): Amended => {
    const now = state.log[at];
    const recorded = state.recorded.get(at) ?? now;
    if (now === undefined || recorded === undefined || !isSpoken(now) || !isSpoken(recorded)) return [];
    const texts =
      recorded.text === null || now.text === (text ?? recorded.text)
        ? []
        : [{ at, edits: [...textEdits(recorded.text, text ?? recorded.text)] }];
    if (now.kind !== "assistant" || recorded.kind !== "assistant") return texts;
    const calls = recorded.calls.flatMap(({ args: own }, call) => {
      const json = canonicalJson(args?.[call] ?? own);
      if (canonicalJson(now.calls[call]?.args ?? own) === json) return [];
      return [{ at, call, edits: [...textEdits(canonicalJson(own), json)] }];
    });
    return [...texts, ...calls];
  });
}
