import type { ForeignFile, LeveledObject, OmittedTurns } from "@cm/context-log";
import { contextToolName, type ToolAnswer } from "./context-tool.ts";
import type { GivenArguments } from "./given-arguments.ts";
import { contextToolLimits } from "./limits.ts";
import { type ContextToolHost, faultText, type ToolRun } from "./named-outcomes.ts";
import { counted, countText, field, linesOf, objectText, sizeWords, stateText } from "./object-words.ts";
import { partAround } from "./shown-part.ts";

const { fieldCharsMax, matchCharsMax, objectsMax, rowsMax } = contextToolLimits;

/** What the session met, newest first, a row each. `lines` goes on where a list was too long: `31-60`. */
export async function list({ lines, match }: GivenArguments, { host, cwd }: ToolRun): Promise<ToolAnswer> {
  try {
    const sought = match?.slice(0, matchCharsMax).toLowerCase();
    const from = Math.max(1, Number(/\d{1,9}/.exec(lines ?? "")?.[0] ?? 1));
    const objects = listText(await known(host), { from, sought, cwd });
    const turns = turnRows(await host.omittedTurns?.(sought), sought);
    return { text: [objects, ...turns].join("\n"), failed: false, shows: [] };
  } catch (error) {
    return { text: faultText(error), failed: true, shows: [] };
  }
}

/** What was said in turns that left the prompt is no object. */
function turnRows(omitted: OmittedTurns | undefined, sought: string | undefined): readonly string[] {
  if (omitted === undefined) return [];
  const { from, to, matches } = omitted;
  const which = from === to ? `turn ${from}` : `turns ${from} to ${to}`;
  if (sought === undefined)
    return [`Of ${which} not all is in view: show turn${to} brings back what was said, match finds it.`];
  return matches
    .slice(0, rowsMax)
    .map(({ turn, line }) => `turn${turn}: ${field(partAround(line, sought, fieldCharsMax))}`);
}

interface Found {
  readonly objects: readonly LeveledObject[];
  readonly foreign: readonly ForeignFile[];
}

interface Asked {
  /** The first row that is shown, from 1. */
  readonly from: number;
  readonly sought: string | undefined;
  readonly cwd: string | undefined;
}

function listText({ objects, foreign }: Found, { from, sought, cwd }: Asked): string {
  const matching = objects.filter((object) => sought === undefined || has(object, sought)).toReversed();
  const others = foreign.filter(({ path }) => sought === undefined || path.toLowerCase().includes(sought));
  const all = `${countText(objects.length)}${objects.length >= objectsMax ? " or more" : ""} known`;
  const which = sought === undefined ? all : `that have "${field(sought)}" in path, command or text, ${all}`;
  if (matching.length + others.length === 0) return sought === undefined ? "Nothing is known yet." : `0 ${which}.`;
  const shown = matching.slice(from - 1, from - 1 + rowsMax);
  const end = from - 1 + shown.length;
  const rest = end < matching.length ? `; the rest: list with lines ${end + 1}-` : "";
  const count = sought === undefined ? "" : `${countText(matching.length)} `;
  return [
    `${countText(shown.length)} of ${count}${which}, newest first${rest}:`,
    ...shown.flatMap((object) => rowsFor(object, sought, cwd)),
    ...others.slice(0, rowsMax).map(foreignRow),
  ].join("\n");
}

function rowsFor(object: LeveledObject, sought: string | undefined, cwd: string | undefined): readonly string[] {
  const { alias, kind, status, text } = object;
  const failed = kind === "toolcall" && status === "fail" ? ["failed"] : [];
  const facts = [...failed, ...(text === null ? [] : [sizeWords(text)]), ...stateText(object)];
  const row = `${alias} ${objectText(object, cwd)}: ${facts.join(", ") || "no text"}`;
  const hit = sought === undefined || text === null ? undefined : firstHit(text, sought);
  return hit === undefined ? [row] : [row, hit];
}

/** `  30: the line`. */
function firstHit(text: string, sought: string): string | undefined {
  const lines = linesOf(text);
  const place = lines.findIndex((line) => line.toLowerCase().includes(sought));
  const line = lines[place];
  return line === undefined
    ? undefined
    : `  ${place + 1}: ${field(partAround(line, sought, fieldCharsMax), 2 * fieldCharsMax)}`;
}

/** A file of other sessions, by the id that brings it in. */
const foreignRow = ({ id, path, charCount }: ForeignFile): string =>
  `${id} ${field(path)}: ${counted(charCount, "character")}, of another session`;

/** Without calls of this tool, in the order in which the session met them. */
async function known(host: ContextToolHost): Promise<Found> {
  const objects: LeveledObject[] = [];
  for (let cursor: string | undefined; ; ) {
    const page = await host.list(cursor === undefined ? {} : { cursor });
    objects.push(...page.objects.filter(({ tool }) => tool !== contextToolName));
    cursor = page.next;
    if (cursor === undefined || objects.length >= objectsMax) return { objects, foreign: page.foreign ?? [] };
  }
}

/** In path, command, tool or text. */
function has({ path = "", tool = "", argsDisplay = "", text }: LeveledObject, sought: string): boolean {
  return [path, `${tool} ${argsDisplay}`, text ?? ""].some((part) => part.toLowerCase().includes(sought));
}
