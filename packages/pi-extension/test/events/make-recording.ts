import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { PiHome } from "@cm/scripted-models/real-pi";
import type { PiMessage, SessionEntry } from "../../src/pi/pi-types.ts";
import { folderMark, heard, type RecordedEvent, type Recording } from "./recording.ts";

interface LogLine {
  readonly session: string;
  readonly leaf: string | null;
  readonly event: { readonly type: string } & Record<string, unknown>;
}

export const logOf = (home: PiHome): string => join(home.folder, "events.jsonl");

/** Makes a recording of the event log and the session files that a Pi left in its home. */
export async function makeRecording(
  home: PiHome,
  about: Pick<Recording, "pi" | "seed" | "actions">,
): Promise<Recording> {
  const lines = (await readFile(logOf(home), "utf8")).trim().split("\n");
  const messages = new Map<string, number>();
  const events = lines.flatMap((line) => recordedEvent(JSON.parse(line), messages));
  const recording: Recording = {
    ...about,
    entries: await entriesOf(home),
    messages: [...messages.keys()].map((json): PiMessage => JSON.parse(json)),
    events,
  };
  return JSON.parse(JSON.stringify(recording).replaceAll(home.folder, folderMark));
}

async function entriesOf(home: PiHome): Promise<Record<string, readonly SessionEntry[]>> {
  const entries: Record<string, readonly SessionEntry[]> = {};
  for (const file of await home.sessionFiles()) {
    const [header, ...rest] = await home.sessionEntries(file);
    entries[String(header?.id)] = JSON.parse(JSON.stringify(rest, withoutSystemPrompt));
  }
  return entries;
}

/** It is long, names Pi's own folder, and is none of the extension's business. */
const withoutSystemPrompt = (_key: string, part: unknown): unknown =>
  typeof part === "object" && part !== null && "role" in part && part.role === "system" ? { role: "system" } : part;

function recordedEvent({ session, leaf, event }: LogLine, messages: Map<string, number>): readonly RecordedEvent[] {
  const { type, ...rest } = event;
  if (!heard.includes(type)) return [];
  const recorded = { session, leaf, type };
  if (type !== "context") return [{ ...recorded, event: small(rest) }];
  const context = (rest.messages as readonly PiMessage[]).map((message) => {
    const json = JSON.stringify(message);
    const place = messages.get(json) ?? messages.size;
    messages.set(json, place);
    return place;
  });
  return [{ ...recorded, context }];
}

/** What is long stands in the entries, too, and no handler of ours looks at it in the event. */
const long = ["messages", "toolResults", "branchEntries", "entries", "context", "details", "content", "systemPrompt"];
const unused = ["usage", "diagnostics", "timestamp", "outcome", "message", "tools", "toolResultEntryIds"];

function small({ message, preparation, ...event }: Record<string, unknown>): Record<string, unknown> {
  const drop = (key: string, part: unknown) => (long.includes(key) || unused.includes(key) ? undefined : part);
  return {
    ...JSON.parse(JSON.stringify(event, drop)),
    ...(isAnswer(message) ? { message: headOf(message) } : {}),
    ...(preparation === undefined ? {} : { preparation: JSON.parse(JSON.stringify(preparation, ofPreparation)) }),
  };
}

/** Entries of a branch that is left stand in no branch any more, so they stay whole. */
const ofPreparation = (key: string, part: unknown) =>
  ["messagesToSummarize", "turnPrefixMessages", "fileOps"].includes(key) ? undefined : part;

interface Answer {
  readonly [name: string]: unknown;
}

const isAnswer = (message: unknown): message is Answer =>
  typeof message === "object" && message !== null && "role" in message && message.role === "assistant";

const headOf = ({ role, stopReason, provider, model }: Answer): Answer => ({ role, stopReason, provider, model });
