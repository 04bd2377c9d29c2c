import type { Textless } from "@cm/context-log";
import { field, parseField } from "./field.ts";
import {
  count,
  counted,
  either,
  fieldSource,
  flag,
  linesOf,
  maybe,
  number,
  oneOf,
  type Piece,
  text,
  texts,
  value,
  within,
  words,
} from "./line.ts";
import type { EarlierNotice, LeftOutNotice, LineRange, Notice } from "./notice.ts";

/**
 * Every word that we say in a prompt of layout `log`, but for the two lines of the Pi extension's `safe-prompt.ts`, which
 * stand where none of this can be asked. A line must be true whatever happens after it, and plain for a reader that was told
 * nothing: what is left out, how much, and what brings it back.
 */

const fileWords = { changed: "changed since", unchanged: "unchanged until then" } as const;

const textWords = { output: "the output", written: "the text written" } as const;

const noOutputWords = {
  interrupted: "this call was interrupted; it may have run",
  unknown: "no output of this call is known",
  erased: "the output of this call was erased for good",
  missing: "the output of this call was lost, since the database is damaged",
} as const;

/** Why a file has no text. */
const stateWords = {
  unread: "it was not read",
  deleted: "it is deleted",
  binary: "it is no text",
  too_large: "it is too large to keep",
  unreachable: "it cannot be checked",
  erased: "it was erased for good",
  missing: "it was lost, since the database is damaged",
} as const satisfies Record<Textless, string>;

const show = words`; cm_context show ${text("id")}`;

/** `lines 40-52`, `line 40`. */
const lines: Piece<"from" | "to"> = {
  write: ({ from, to }) => (from === undefined ? undefined : from === to ? `line ${from}` : `lines ${from}-${to}`),
  pattern: (prefix) => `lines? ${number("from").pattern(prefix)}(?:-${number("to").pattern(prefix)})?`,
  read: (group) => {
    const from = group("from");
    return from === undefined ? {} : { from: Number(from), to: Number(group("to") ?? from) };
  },
};
const size = within("size", either<string>(lines, count("lines", "line"), count("chars", "character")));
const ofFile = maybe` of ${text("file")}`;
const output = words`${size}${ofFile}`;
const callsAbove = words`${count("callsAbove", "call")} above`;

/** Lines of an output that was counted in lines are `of them`. All of them stand where only a harness's heading left. */
const linesBelow: Piece<"linesBelow" | "size"> = {
  ...maybe`, ${number("linesBelow")} below`,
  write: ({ linesBelow, size }: Partial<LeftOutNotice>) => {
    if (linesBelow === undefined || size === undefined) return "";
    if ("lines" in size && size.lines === linesBelow) return ", all of them below";
    return `, ${"chars" in size ? `${counted(linesBelow, "line")} of it` : `${linesBelow} of them`} below`;
  },
  pattern: (prefix) =>
    `(?:, (?:(?<${prefix}allBelow>all) of them|${number("linesBelow").pattern(prefix)} (?:of them|lines? of it)) below)?`,
  read: (group) =>
    group("allBelow") === undefined
      ? number("linesBelow").read(group)
      : { linesBelow: Number.parseInt(group("size_lines") ?? "", 10) },
};

const turns = value(
  "turns",
  "turns? \\d+(?: to \\d+)?",
  ({ from, to }: EarlierNotice["turns"]) => (from === to ? `turn ${from}` : `turns ${from} to ${to}`),
  (said) => {
    const [from = 0, to = from] = (said.match(/\d+/g) ?? []).map(Number);
    return { from, to };
  },
);

const newestTurn: Piece<"turns"> = {
  write: ({ turns }: Partial<EarlierNotice>) => (turns === undefined ? undefined : `${turns.to}`),
  pattern: () => "\\d+",
  read: () => ({}),
};

/** `20 read; 8 bash`. */
const tools = value(
  "tools",
  `\\d+ ${fieldSource}(?:; \\d+ ${fieldSource})*`,
  (named: EarlierNotice["tools"]) => named.map((one) => `${one.calls} ${field(one.tool)}`).join("; ") || undefined,
  (said) =>
    Array.from(said.matchAll(new RegExp(`(\\d+) (${fieldSource})`, "g")), ([, calls, tool = ""]) => ({
      tool: parseField(tool),
      calls: Number(calls),
    })),
);

/** Words that agree with others of their line, and say nothing of their own. */
const agreeing = (source: string, write: (values: Parameters<Piece["write"]>[0]) => string): Piece<never> => ({
  write,
  pattern: () => source,
  read: () => ({}),
});

const theirOutput = agreeing(
  "with (?:its|their) output",
  ({ calls }) => `with ${calls === 1 ? "its" : "their"} output`,
);
const callsWithTools = maybe`${count("calls", "call")} (${tools}${maybe`; and ${number("more")} more`}) ${theirOutput}, `;
const earlierCalls: typeof callsWithTools = {
  ...callsWithTools,
  read: (group) => ({ calls: 0, tools: [], ...callsWithTools.read(group) }),
};

const andAnswers = agreeing("(?:and )?the answers", ({ calls, prompts }) =>
  calls === 0 && prompts === undefined ? "the answers" : "and the answers",
);

const thatRepeat = agreeing("that repeats?", (values) =>
  /^(?:1|line) /.test(size.write(values) ?? "") ? "that repeats" : "that repeat",
);

/** Their numbers would be those of the output, which a reader of a part of a file could take for the file's. */
const asManyLines = agreeing("\\d+ lines?", ({ same }) => {
  const { from = 0, to = from } = (same ?? {}) as Partial<LineRange>;
  return counted(to - from + 1, "line");
});

const cutChars = count("chars", "character");
const cutAttachments = count("attachments", "attachment");
/** `90 characters and 1 attachment`. */
const cut: Piece<"chars" | "attachments"> = {
  write: (values) => {
    const attachments = cutAttachments.write(values);
    const onlyAttachments = values.chars === 0 && attachments !== undefined;
    return [onlyAttachments ? undefined : cutChars.write(values), attachments].filter(Boolean).join(" and ");
  },
  pattern: (prefix) => `(?:${cutChars.pattern(prefix)})?(?: and )?(?:${cutAttachments.pattern(prefix)})?`,
  read: (group) => ({ chars: 0, ...cutChars.read(group), ...cutAttachments.read(group) }),
};

const emptyOutput = words`an empty output${ofFile}`;

/** `27 lines of a.ts`, `27 lines and 1 attachment`, `1 attachment`, `an empty output`. */
const outputAndPictures: Piece<"size" | "file" | "attachments"> = {
  write: (values) => {
    const pictures = cutAttachments.write(values);
    const { size: weighed } = values as Partial<LeftOutNotice>;
    const isEmpty = weighed !== undefined && "chars" in weighed && weighed.chars === 0;
    if (isEmpty) return pictures ?? emptyOutput.write(values);
    return [output.write(values), pictures].filter(Boolean).join(" and ");
  },
  pattern: (prefix) =>
    `(?:(?:an empty output|${size.pattern(prefix)})${ofFile.pattern(prefix)})?(?: and )?(?:${cutAttachments.pattern(prefix)})?`,
  read: (group) => ({ size: { chars: 0 }, ...output.read(group), ...cutAttachments.read(group) }),
};

const argumentsOrOutput: Piece<"input"> = {
  write: ({ input }) => (input === true ? "arguments" : "output"),
  pattern: (prefix) => `(?<${prefix}input>output|arguments)`,
  read: (group) => (group("input") === "arguments" ? { input: true } : {}),
};

/** Of the arguments of a call the id says so. */
const idOrInput: Piece<"id" | "input"> = {
  ...text("id"),
  write: ({ id, input }) => field(input === true ? `${id}.input` : `${id}`),
  read: (group) => {
    const id = parseField(group("id") ?? "");
    return { id: group("input") === "arguments" ? id.replace(/\.input$/, "") : id };
  },
};

const broughtBack = either(
  words`file ${text("path")}`,
  words`${argumentsOrOutput} of ${text("tool")}${maybe` ${text("target")}`}`,
);

function checkout<Side extends string>(side: Side): Piece<Side> {
  const fields = words`${text("root")}${maybe` commit ${text("commit")}`}${maybe` branch ${text("branch")}`}`;
  const piece = within(side, fields);
  return {
    ...piece,
    write: (values) => piece.write(values) ?? "none",
    pattern: (prefix) => `(?:none|${piece.pattern(prefix)})`,
  };
}

const where = words`${text("path")} (${text("id")})`;
const state = maybe`; ${oneOf("state", stateWords)}`;

const notices = linesOf<Notice>({
  "left-out": cm`${outputAndPictures} left out${flag("failed", ", failed")}${maybe`, ${oneOf("since", fileWords)}`}${linesBelow}${maybe`; words in the rest: ${texts("words")}`}${show}`,
  earlier: cm`left out above, of ${turns}: ${maybe`${count("prompts", "prompt")}, `}${earlierCalls}${andAnswers}; cm_context show turn${newestTurn}, or list`,
  "same-text": cm`the same ${output} as ${callsAbove}${show}`,
  "repeated-arguments": cm`${output} left out ${thatRepeat} the call's arguments${show}`,
  "changed-lines": cm`${output} left out; below is what changed since ${callsAbove}${show}`,
  "same-lines": cm`${asManyLines} left out here: the same as ${within("same", lines)} of ${oneOf("where", textWords)} ${callsAbove}${show}`,
  "no-output": cm`${oneOf("why", noOutputWords)}`,
  cut: cm`${cut} left out here${maybe`${show}`}`,
  "brought-back": cm`brought back here: ${broughtBack}, ${size} (${idOrInput})${maybe`, the part that was seen; ${oneOf("partly", stateWords)}`}`,
  resumed: cm`found when this session was resumed:`,
  "resumed-file": cm`${where} changed${maybe`: ${count("added", "line")} added, ${number("removed")} removed`}${maybe`, ${count("placesOmitted", "changed place")} not shown`}${state}`,
  "resumed-checkout": cm`working copy was ${checkout("was")}; is ${checkout("now")}`,
  "moved-folder": cm`files below ${text("was")} are now below ${text("now")}`,
  "moved-file": cm`the file ${text("was")} (${text("id")}) is now at ${text("now")}`,
  "moved-omitted": cm`${count("paths", "more path")} changed; cm_context list`,
  unreachable: cm`${where} cannot be checked for changes: ${text("reason")}`,
  omitted: cm`${count("files", "more file")} changed or cannot be checked; cm_context list`,
  released: cm`the window is full, so no longer pinned: ${texts("ids")}${maybe` (and ${number("omitted")} more)`}`,
});

function cm<Name extends string = never>(fixed: TemplateStringsArray, ...pieces: readonly Piece<Name>[]): Piece<Name> {
  return words`[cm: ${words(fixed, ...pieces)}]`;
}

export const noticeLine = (notice: Notice): string => notices.write(notice);

/** Reverses `noticeLine`; undefined for a line that is none. */
export const readNotice = (line: string): Notice | undefined => notices.read(line);

/** What stands behind the beginning of an argument that was cut. `name` brings it back. */
export function cutArgumentMark(chars: number, name: string): string {
  return ` [cm: ${counted(chars, "character")} left out; cm_context show ${field(name)}]`;
}
