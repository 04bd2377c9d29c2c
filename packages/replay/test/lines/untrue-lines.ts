import type { PromptMessage } from "@cm/context-log";
import type { Said } from "./agents.ts";

/** A call of a session, and what is known of it without our code. */
export interface KnownCall extends Said {
  /** The file that it touched, if it is one that its result shows or changed. */
  readonly path?: string;
  /** Of a read: the lines that its output shows, and the number of the first. */
  readonly read?: { readonly from: number; readonly lines: readonly string[] };
  /** How often its file had changed by then, and when all calls of its answer were over. */
  readonly changesThen: number;
  readonly changesAfter: number;
}

const size =
  /(?:lines? (?<from>\d+)(?:-(?<to>\d+))?|(?<count>\d+) (?<unit>line|character)s?)(?: of (?<file>"[^"]*"|\S+))?/;
const leftOut = new RegExp(
  `^\\[cm: ${size.source} left out(?<failed>, failed)?(?:, (?<since>changed since|unchanged until then))?[,;]`,
);
const same = new RegExp(`^\\[cm: the same ${size.source} as (?<above>\\d+) calls? above;`);
const changed = new RegExp(`^\\[cm: ${size.source} left out; below is what changed since (?<above>\\d+) calls? above;`);
const repeated = new RegExp(`^\\[cm: ${size.source} left out that repeat the call's arguments;`);
const pointed =
  /^\[cm: (?<count>\d+) lines? left out here: the same as lines? (?<first>\d+)(?:-\d+)? of the output (?<above>\d+) calls? above;/;
const pointing = /^\[cm: (?<count>\d+) lines? left out here: the same as /;

type Groups = Readonly<Record<string, string | undefined>>;

/** What the lines of ours in a prompt say that is not so, as far as it can be told from the calls alone. */
export function untrueLines(
  messages: readonly PromptMessage[],
  calls: ReadonlyMap<string, KnownCall>,
  changes: ReadonlyMap<string, number>,
): readonly string[] {
  const results = messages.filter(({ role }) => role === "tool");
  return results.flatMap((message, place) => {
    const call = calls.get(message.callId ?? "");
    if (call === undefined) return [];
    const rows = message.text.split("\n");
    return rows.flatMap((row, at) => {
      const faults = faultsOf(row, {
        call,
        linesAbove: rows.slice(0, at).reduce((sum, one) => sum + Number(pointing.exec(one)?.groups?.count ?? 1), 0),
        below: rows.slice(at + 1),
        above: (count) => calls.get(results[place - count]?.callId ?? ""),
        now: changes.get(call.path ?? "") ?? 0,
      });
      return faults.map((fault) => `${fault}: ${row}`);
    });
  });
}

interface Around {
  readonly call: KnownCall;
  /** Of the output, those that left with a line included. */
  readonly linesAbove: number;
  readonly below: readonly string[];
  readonly above: (count: number) => KnownCall | undefined;
  readonly now: number;
}

function faultsOf(row: string, around: Around): readonly string[] {
  const { call, now, above } = around;
  const said = (of: RegExp): Groups | undefined => of.exec(row)?.groups;
  const folded = said(leftOut);
  if (folded !== undefined)
    return [
      ...sizeFaults(folded, call),
      ...(folded.failed !== undefined && call.failed !== true ? ["it did not fail"] : []),
      ...(folded.since === "changed since" && call.changesThen === now ? ["it did not change"] : []),
      ...(folded.since?.startsWith("un") === true && call.changesAfter !== call.changesThen
        ? ["a command changed it"]
        : []),
    ];
  const equal = said(same);
  if (equal !== undefined)
    return [...sizeFaults(equal, call), ...(above(Number(equal.above))?.text === call.text ? [] : ["another text"])];
  const diff = said(changed);
  if (diff !== undefined) return [...sizeFaults(diff, call), ...hunkFaults(above(Number(diff.above)), around)];
  if (said(repeated) !== undefined) return repeatFaults(around);
  const run = said(pointed);
  return run === undefined ? [] : runFaults(run, around, above(Number(run.above)));
}

const unquoted = (name: string): string => name.replace(/^"|"$/g, "");

function sizeFaults({ from, to = from, count, unit, file }: Groups, { read, path, failed }: KnownCall): string[] {
  if (read === undefined || failed === true) return file === undefined ? [] : ["it shows no lines of a file"];
  if (file === undefined || unquoted(file) !== path?.split("/").at(-1)) return ["it is of another file"];
  const last = read.from + read.lines.length - 1;
  if (from !== undefined) return Number(from) === read.from && Number(to) === last ? [] : ["other lines"];
  if (unit === "character") return read.lines.length === 1 ? [] : ["several lines"];
  return read.from === 1 && Number(count) === read.lines.length ? [] : ["another number of lines"];
}

/** Applies the hunks to what the earlier call showed: what this one showed must come of it. */
function hunkFaults(before: KnownCall | undefined, { call, below }: Around): string[] {
  if (before?.read === undefined || call.read === undefined || before.path !== call.path) return ["no such read above"];
  const made = [...before.read.lines];
  let shift = 0;
  for (const [at, row] of below.entries()) {
    const head = /^@@ -(\d+),(\d+) \+\d+,\d+ @@$/.exec(row);
    if (head === null) continue;
    const rows = below.slice(at + 1);
    const end = rows.findIndex((one) => !/^[ +-]/.test(one));
    const hunk = end < 0 ? rows : rows.slice(0, end);
    const old = hunk.filter((one) => !one.startsWith("+")).map((one) => one.slice(1));
    const fresh = hunk.filter((one) => !one.startsWith("-")).map((one) => one.slice(1));
    const place = Number(head[1]) - (head[2] === "0" ? 0 : 1) + shift;
    if (made.slice(place, place + old.length).join("\n") !== old.join("\n")) return ["a hunk that does not apply"];
    made.splice(place, old.length, ...fresh);
    shift += fresh.length - old.length;
  }
  return made.join("\n") === call.read.lines.join("\n") ? [] : ["hunks that make another text"];
}

/** Each line of the output stands in the message or in the arguments. */
function repeatFaults({ call, below }: Around): string[] {
  const written = Object.values(call.args).join("\n");
  const missing = call.text
    .split("\n")
    .slice(1)
    .map((line) => line.replace(/^ *\d+[→\t]/, "").trim())
    .filter((line) => !written.includes(line) && !below.includes(line));
  return missing.map((line) => `not in the arguments: ${line}`);
}

function runFaults({ count, first }: Groups, { call, linesAbove }: Around, base: KnownCall | undefined): string[] {
  if (base === undefined) return ["no such call above"];
  const mine = call.text
    .split("\n")
    .map((line) => (isNumbered(call) ? line.replace(/^ *\d+(?:[→\t]|[:|] )/, "") : line));
  for (let line = 0; line < Number(count); line += 1) {
    const other = lineOf(base, Number(first) + line);
    if (other === undefined || other !== mine[linesAbove + line]) return [`line ${line + 1} of them is another one`];
  }
  return [];
}

const isNumbered = ({ text }: KnownCall): boolean => /^<|^ *\d+[→\t]/m.test(text);

/** As a tool numbers them, else counted from the first line of the output. */
const lineOf = (call: KnownCall, line: number): string | undefined =>
  isNumbered(call) ? call.read?.lines[line - call.read.from] : call.text.split("\n")[line - 1];
