import type { LeveledObject, OpenTurnCall, RecallOutcome, TurnMessage, TurnRecord } from "@cm/context-log";
import type { JsonObject, JsonValue } from "@cm/object-model";
import type { ToolAnswer } from "./context-tool.ts";
import type { GivenArguments } from "./given-arguments.ts";
import { contextToolLimits } from "./limits.ts";
import { namedOutcomes, namedWords, refusalLine, type ToolRun } from "./named-outcomes.ts";
import { counted, field, linesOf, objectText, textlessWords } from "./object-words.ts";
import { shownPart } from "./shown-part.ts";

/** An object or a turn that was brought back, and which of its texts is meant. */
interface Recalled {
  /** Undefined for a turn. */
  readonly object: LeveledObject | undefined;
  readonly head: string;
  readonly text: string;
  /** It is the object's own text, and all of it that there is. */
  readonly isOwn: boolean;
}

/** Brings texts back, one below the other, each under a line that says what it is. */
export async function show({ id, lines, match }: GivenArguments, asking: ToolRun): Promise<ToolAnswer> {
  const outcomes = await namedOutcomes(id, (name) => recalled(name, asking), asking);
  if ("refused" in outcomes) return { text: outcomes.refused, failed: true, shows: [] };
  const refusals = outcomes.filter((outcome) => !outcome.done).map(refusalLine);
  const parts: string[] = [];
  const shows: string[] = [];
  let room: number = contextToolLimits.shownCharsMax;
  for (const outcome of outcomes) {
    if (!outcome.done) continue;
    const { object, head, text, isOwn } = outcome.value;
    if (room <= 0 && text !== "") {
      refusals.push(`${field(outcome.name)}: no room is left in this answer; show it in a call of its own.`);
      continue;
    }
    const part = shownPart(text, { lines, match, charsMax: room });
    if ("none" in part) {
      refusals.push(`${field(outcome.name)}: ${part.none}.`);
      continue;
    }
    room -= part.text.length;
    parts.push(part.text === "" ? `${head}, ${part.which}.` : `${head}, ${part.which}:\n${part.text}`);
    if (part.isWhole && isOwn && object !== undefined) shows.push(object.id);
  }
  const failed = parts.length === 0;
  const partly = failed || refusals.length === 0 ? [] : [`${parts.length} of ${outcomes.length} shown.`];
  return { text: [...partly, ...refusals, ...parts].join("\n"), failed, shows };
}

type Attempted = { readonly done: true; readonly value: Recalled } | { readonly done: false; readonly reason: string };

const inputSuffix = ".input";

/** A path may end as the name of a call's arguments does, an alias never. */
async function recalled(name: string, asking: ToolRun): Promise<Attempted> {
  const { host, cwd } = asking;
  const turn = host.turn === undefined ? undefined : turnNamed(name);
  if (turn !== undefined) {
    const found = await turnText(turn, asking);
    if ("none" in found) return { done: false, reason: found.none };
    return { done: true, value: { object: undefined, ...found, isOwn: false } };
  }
  const call = name.endsWith(inputSuffix) ? name.slice(0, -inputSuffix.length) : undefined;
  const own = call !== undefined && /^t\d+$/.test(call) ? undefined : await host.recall(name);
  if (own?.done === true) return ownText(own, cwd);
  const outcome = call === undefined || call === "" ? own : await host.recall(call);
  if (outcome === undefined) return { done: false, reason: "it is no name" };
  const known = outcome.done || call === undefined ? outcome : (outcome.call ?? outcome);
  if (!("object" in known)) return { done: false, reason: reasonText(known.reason) };
  const { object, args } = known;
  if (args === undefined) return { done: false, reason: `${object.alias} is no call, so it has no arguments.` };
  const head = `Arguments of ${namedWords(object, cwd)}`;
  return { done: true, value: { object, head, text: argumentsText(args), isOwn: false } };
}

function ownText({ object }: Extract<RecallOutcome, { done: true }>, cwd: string | undefined): Attempted {
  const { alias, kind, status, text, textless, redactions = 0, attachments = 0 } = object;
  const why = textless === undefined ? undefined : textlessWords[textless];
  if (text === null)
    return { done: false, reason: `${objectText(object, cwd)} has no text: ${why ?? "none is known"}.` };
  const without = redactions > 0 ? `, without ${counted(redactions, "secret")}` : "";
  if (kind === "toolcall") {
    const failed = status === "fail" ? ", which failed" : "";
    const pictures =
      attachments > 0 ? `, without ${counted(attachments, "attachment")}, which only the call itself gives` : "";
    const head = `Output of ${namedWords(object, cwd)}${failed}${without}${pictures}`;
    return { done: true, value: { object, head, text, isOwn: textless === undefined } };
  }
  const head =
    why === undefined
      ? `${objectText(object, cwd)} as it is now (${alias})${without}`
      : `What was seen last of ${objectText(object, cwd)} (${alias}; ${why}; it may have had more)${without}`;
  return { done: true, value: { object, head, text, isOwn: textless === undefined } };
}

const reasonText = (reason: string): string => field(reason, contextToolLimits.reasonCharsMax);

/** A turn in words, or why there is none. */
type TurnText = { readonly head: string; readonly text: string } | { readonly none: string };

const pattern = /^turn[ _-]?([1-9]\d{0,8})$/i;

/** The number of a turn that a name means: `turn12`. */
function turnNamed(name: string): number | undefined {
  const number = pattern.exec(name.trim())?.[1];
  return number === undefined ? undefined : Number(number);
}

/** What was said in a turn, and in place of each call what it was: its output is an object of its own. */
async function turnText(turn: number, { host, cwd }: ToolRun): Promise<TurnText> {
  const record = await host.turn?.(turn);
  if (record === undefined) return { none: "this session has no such turn" };
  const lines = await Promise.all(
    record.messages.map(async (message) => wordsOf(message, await calledBy(message, host), cwd)),
  );
  const calls = record.messages.filter(({ role }) => role === "tool").length;
  const head = `Turn ${record.turn}, with ${counted(calls, "call")}${omittedWords(record)}`;
  return { head, text: lines.join("\n") };
}

const omittedWords = ({ stepsOmitted }: TurnRecord): string =>
  stepsOmitted === undefined ? "" : ` and ${counted(stepsOmitted, "further answer")} that are not shown`;

async function calledBy(message: TurnMessage, host: ToolRun["host"]): Promise<LeveledObject | undefined> {
  if (message.role !== "tool") return undefined;
  const outcome = await host.recall(message.object);
  return outcome.done ? outcome.object : outcome.call?.object;
}

function wordsOf(message: TurnMessage, call: LeveledObject | undefined, cwd: string | undefined): string {
  if (message.role !== "tool") {
    const { attachments = 0 } = message.role === "user" ? message : {};
    const without = attachments > 0 ? `, without ${counted(attachments, "attachment")}` : "";
    const said = `${message.role}${without}: ${message.text ?? "[not known any more]"}`;
    return message.role === "user" ? said : [said, ...(message.calls ?? []).map(openCallText)].join("\n");
  }
  if (call === undefined) return "call: [not known any more]";
  return `call: ${call.alias} ${objectText(call, cwd)}${call.status === "fail" ? ", failed" : ""}`;
}

/** No object has its arguments, or one that its result brought later. */
const openCallText = ({ tool, args }: OpenTurnCall): string =>
  [`call without a result in its step: ${field(tool)}`, argumentsText(args)].filter((text) => text !== "").join("\n");

/** A call's arguments to be read: one under the other, texts of several lines as they are, below their name and size. */
function argumentsText(args: JsonObject): string {
  return Object.entries(args)
    .flatMap(([name, value]) => rowsOf(name, value))
    .join("\n");
}

function rowsOf(name: string, value: JsonValue | undefined): readonly string[] {
  if (typeof value === "string") {
    if (!value.includes("\n")) return [`${name}: ${value}`];
    return [`${name}, ${counted(linesOf(value).length, "line")}:`, value];
  }
  if (Array.isArray(value)) return value.flatMap((each, place) => rowsOf(`${name}[${place}]`, each));
  if (value === undefined) return [];
  if (typeof value !== "object" || value === null) return [`${name}: ${JSON.stringify(value)}`];
  return Object.entries(value).flatMap(([key, each]) => rowsOf(`${name}.${key}`, each));
}
