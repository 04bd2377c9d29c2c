import {
  isNote,
  type LogEntry,
  type OmittedTurns,
  type OpenTurnCall,
  type TurnMessage,
  type TurnRecord,
  textsIn,
} from "@cm/context-log";
import { type LogState, shownMessages } from "@cm/context-log/state";
import {
  type DocumentOf,
  isDocumentOf,
  type JsonObject,
  nonEmpty,
  type ObjectStore,
  type StepMessage,
  stepId,
} from "@cm/object-model";
import { limits } from "../limits.ts";
import { readInParts } from "../path/read-in-parts.ts";

type Known = Pick<LogState, "log" | "path" | "amendedAt" | "turn" | "depth">;

/**
 * A turn as its steps have it, and behind them what no step has yet; undefined where there is none.
 * @param number counted from 1
 */
export async function readTurn(store: ObjectStore, state: Known, number: number): Promise<TurnRecord | undefined> {
  const turn = number - 1;
  const entries = entriesOfTurn(state.log, turn);
  const depths = depthsOf(entries).filter((depth) => depth < state.depth);
  if (entries.length === 0) return undefined;
  const asked = depths.slice(0, limits.turnStepsMax);
  const steps = await readSteps(store, state, asked);
  const messages = asked.flatMap((depth) => spokenBy(state, depth, steps.get(depth), turn));
  // The window may have cut what the open request asks.
  const open = entries.flatMap((entry) =>
    entry.kind === "user" && entry.step >= state.depth ? [userWords(entry.text, entry.attachments)] : [],
  );
  const stepsOmitted = depths.length - asked.length;
  return { turn: number, messages: [...messages, ...open], ...(stepsOmitted === 0 ? {} : { stepsOmitted }) };
}

/** Turns that left the prompt, wholly or in part, and lines of what was said there. */
export async function findOmittedTurns(
  store: ObjectStore,
  state: Known,
  match: string | undefined,
): Promise<OmittedTurns | undefined> {
  const gone = state.log.filter(({ kind }) => kind === "omitted");
  const [first, last] = [gone[0], gone.at(-1)];
  if (first === undefined || last === undefined) return undefined;
  const turns = { from: first.turn + 1, to: last.turn + 1 };
  const sought = match?.toLowerCase();
  if (sought === undefined || sought === "") return { ...turns, matches: [] };
  const matches: { turn: number; line: string }[] = [];
  const depths = depthsOf(gone).slice(-limits.searchedStepsMax);
  for (let end = depths.length; end > 0 && matches.length < limits.saidLinesMax; end -= limits.stepsPerReadMax) {
    const part = depths.slice(Math.max(0, end - limits.stepsPerReadMax), end);
    const steps = await readSteps(store, state, part);
    for (const depth of part.toReversed()) matches.push(...linesWith(state, depth, steps.get(depth), sought));
  }
  return { ...turns, matches: matches.slice(0, limits.saidLinesMax) };
}

const entriesOfTurn = (log: readonly LogEntry[], turn: number): readonly LogEntry[] =>
  log.slice(firstWith(log, "turn", turn), firstWith(log, "turn", turn + 1));

/** What was spoken, and is labelled with a step. Notes of ours are no messages. */
const spokenAt = (log: readonly LogEntry[], step: number): readonly LogEntry[] =>
  log
    .slice(firstWith(log, "step", step), firstWith(log, "step", step + 1))
    .filter((entry) => !isNote(entry) && !(entry.kind === "omitted" && entry.was === "note"));

/** Turns and steps of a log never go back, so a place is found by halves. */
function firstWith(log: readonly LogEntry[], name: "turn" | "step", least: number): number {
  let [low, high] = [0, log.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((log[middle]?.[name] ?? least) < least) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The places on the path of the steps that say these entries: a prompt stands in its own, an answer in the next one's request. */
function depthsOf(entries: readonly LogEntry[]): readonly number[] {
  const depths = new Set<number>();
  for (const entry of entries) {
    const kind = entry.kind === "omitted" ? entry.was : entry.kind;
    if (kind === "user") depths.add(entry.step);
    else if (kind === "assistant" || kind === "result") depths.add(Math.max(0, entry.step - 1));
  }
  return [...depths].sort((a, b) => a - b);
}

async function readSteps(
  store: ObjectStore,
  { path }: Known,
  depths: readonly number[],
): Promise<ReadonlyMap<number, DocumentOf<"step">>> {
  const ids = new Map(
    depths.flatMap((depth) => {
      const address = path.address(depth);
      return address === undefined ? [] : [[stepId(address), depth] as const];
    }),
  );
  const found = await readInParts(store, [...ids.keys()]);
  const steps = new Map<number, DocumentOf<"step">>();
  for (const [id, depth] of ids) {
    const document = found.get(id)?.document;
    if (document !== undefined && isDocumentOf(document, "step")) steps.set(depth, document);
  }
  return steps;
}

/** What a step says in a turn. A step may end one and begin the next. */
function spokenBy(
  state: Known,
  depth: number,
  step: DocumentOf<"step"> | undefined,
  turn: number,
): readonly TurnMessage[] {
  return placed(state, depth, step)
    .filter(({ entry }) => entry === undefined || entry.turn === turn)
    .map(({ message, entry, isChanged }) => {
      if (message.role === "tool") return { role: "tool", object: message.object };
      // What others left of it is known as long as it stands in the prompt.
      const left = entry !== undefined && "text" in entry ? entry.text : null;
      const text = isChanged ? left : message.text;
      if (message.role === "user") return userWords(text, message.attachments);
      return { role: "assistant", text, ...nonEmpty({ calls: openCalls(state, message, entry) }) };
    });
}

/** As others left their arguments, as long as that is known. */
function openCalls(
  { amendedAt }: Known,
  { calls = [] }: Extract<StepMessage, { role: "assistant" }>,
  entry: LogEntry | undefined,
): readonly OpenTurnCall[] {
  return calls.flatMap(({ call_id: callId, tool, args, object }, place): readonly OpenTurnCall[] => {
    if (object !== undefined) return [];
    const isChanged = entry !== undefined && amendedAt.has(`${entry.at}.${place}`);
    const left = entry?.kind === "assistant" ? entry.calls[place]?.args : {};
    return [{ callId, tool, args: ((isChanged ? left : args) ?? {}) as JsonObject }];
  });
}

const userWords = (text: string | null, attachments: readonly unknown[] = []): TurnMessage => ({
  ...{ role: "user", text },
  ...(attachments.length === 0 ? {} : { attachments: attachments.length }),
});

function linesWith(
  state: Known,
  depth: number,
  step: DocumentOf<"step"> | undefined,
  sought: string,
): readonly { readonly turn: number; readonly line: string }[] {
  return placed(state, depth, step)
    .flatMap(({ message, entry, isChanged }) => {
      if (message.role === "tool" || isChanged || entry?.kind !== "omitted") return [];
      const said = message.role === "assistant" ? openCalls(state, message, entry).flatMap(wordsOf) : [];
      const lines = [message.text, ...said]
        .flatMap((text) => text.split("\n"))
        .filter((line) => line.toLowerCase().includes(sought));
      return lines.map((line) => ({ turn: entry.turn + 1, line }));
    })
    .reverse();
}

const wordsOf = ({ tool, args }: OpenTurnCall): readonly string[] => [tool, ...textsIn(args)];

interface PlacedMessage {
  readonly message: StepMessage;
  readonly entry: LogEntry | undefined;
  /** Others took something out of it, and the step has it as it was. */
  readonly isChanged: boolean;
}

/** A step's messages with their entries: both stand in the order in which they came. */
function placed(
  { log, amendedAt }: Known,
  depth: number,
  step: DocumentOf<"step"> | undefined,
): readonly PlacedMessage[] {
  const messages = step === undefined ? [] : shownMessages(step).map(({ message }) => message);
  const answer = messages.findIndex(({ role }) => role === "assistant");
  const before = answer < 0 ? messages.length : answer;
  // What came before a request has its number, behind the answer of the step before; its own answer has the next one.
  const earlier = before === 0 ? [] : spokenAt(log, depth).slice(-before);
  const entries = [...earlier, ...spokenAt(log, depth + 1).slice(0, messages.length - before)];
  return messages.map((message, place) => {
    const entry = entries[place];
    return { message, entry, isChanged: entry !== undefined && amendedAt.has(`${entry.at}.`) };
  });
}
