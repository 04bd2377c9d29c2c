import type { Textless } from "@cm/context-log";
import { field } from "./field.ts";
import type { CallTarget, CheckoutFields, EarlierNotice, Notice, OutputSize, TextSize } from "./notice.ts";

/**
 * Every word that we say in a prompt. A line must be true whatever happens after it, and plain for a reader that was told
 * nothing: what is left out, how much, and what brings it back. `read-notice.ts` reads these lines: change both.
 */
export function noticeLine(notice: Notice): string {
  return `[cm: ${words(notice)}]`;
}

/** The tool that lines of ours name. */
const show = (id: string): string => `cm_context show ${field(id)}`;

function words(notice: Notice): string {
  switch (notice.kind) {
    case "left-out": {
      const { size, failed, since, linesBelow, words: kept = [], id } = notice;
      const facts = `${failed === true ? ", failed" : ""}${since === undefined ? "" : `, ${fileWords[since]}`}`;
      const of = "chars" in size ? `${linesBelow === 1 ? "line" : "lines"} of it` : "of them";
      const below = linesBelow === undefined ? "" : `, ${linesBelow} ${of} below`;
      const rest = kept.length === 0 ? "" : `; words in the rest: ${kept.map(field).join(" ")}`;
      return `${outputWords(notice)} left out${facts}${below}${rest}; ${show(id)}`;
    }
    case "earlier":
      return `left out above, of ${turnsWords(notice.turns)}: ${earlierWords(notice)}; cm_context show turn${notice.turns.to}, or list`;
    case "same-text":
      return `the same ${outputWords(notice)} as ${callsWords(notice.callsAbove)}; ${show(notice.id)}`;
    case "repeated-arguments":
      return `${outputWords(notice)} left out that repeat the call's arguments; ${show(notice.id)}`;
    case "changed-lines": {
      const { callsAbove, id } = notice;
      return `${outputWords(notice)} left out; below is what changed since ${callsWords(callsAbove)}; ${show(id)}`;
    }
    case "no-output":
      return noOutputWords[notice.why];
    case "cut": {
      const { chars, attachments, id } = notice;
      const text = chars === 0 && attachments !== undefined ? [] : [counted(chars, "character")];
      const pictures = attachments === undefined ? [] : [counted(attachments, "attachment")];
      return `${[...text, ...pictures].join(" and ")} left out here${id === undefined ? "" : `; ${show(id)}`}`;
    }
    case "brought-back": {
      const { tool = "", path, size, partly, input, id, ...called } = notice;
      const output = `${input === true ? "arguments" : "output"} of ${callWords({ tool, ...called })}`;
      const what = path === undefined ? output : `file ${field(path)}`;
      const state = partly === undefined ? "" : `, the part that was seen; ${stateWords[partly]}`;
      return `brought back here: ${what}, ${sizeWords(size)} (${field(input === true ? `${id}.input` : id)})${state}`;
    }
    case "resumed":
      return "while this session was away:";
    case "resumed-file": {
      const { id, path, state, added, removed, placesOmitted } = notice;
      const lines =
        added === undefined || removed === undefined ? "" : `: ${counted(added, "line")} added, ${removed} removed`;
      const more = placesOmitted === undefined ? "" : `, ${counted(placesOmitted, "changed place")} not shown`;
      return `${field(path)} (${field(id)}) changed${lines}${more}${state === undefined ? "" : `; ${stateWords[state]}`}`;
    }
    case "resumed-checkout":
      return `working copy was ${checkoutWords(notice.was)}; is ${checkoutWords(notice.now)}`;
    case "moved-folder":
      return `files below ${field(notice.was)} are now below ${field(notice.now)}`;
    case "moved-file":
      return `the file ${field(notice.was)} (${field(notice.id)}) is now at ${field(notice.now)}`;
    case "moved-omitted":
      return `${counted(notice.paths, "more path")} changed; cm_context list`;
    case "unreachable":
      return `${field(notice.path)} (${field(notice.id)}) cannot be looked at: ${field(notice.reason)}`;
    case "omitted":
      return `${counted(notice.files, "more file")} changed or cannot be looked at; cm_context list`;
    case "released": {
      const { ids, omitted } = notice;
      const more = omitted === undefined ? "" : ` (and ${omitted} more)`;
      return `the window is full, so no longer pinned: ${ids.map(field).join(" ")}${more}`;
    }
  }
}

/** What stands behind the beginning of an argument that was cut. */
export function cutArgumentMark(chars: number, id: string): string {
  return ` [cm: ${counted(chars, "character")} left out; ${show(`${id}.input`)}]`;
}

export const fileWords = { changed: "changed since", unchanged: "unchanged until then" } as const;

export const noOutputWords = {
  interrupted: "this call was interrupted; it has no output",
  unknown: "no output of this call is known",
  erased: "the output of this call was erased for good",
  missing: "the output of this call was lost, since the database is damaged",
} as const;

/** Why a file has no text. */
export const stateWords = {
  unread: "it was not read",
  deleted: "it is deleted",
  binary: "it is no text",
  too_large: "it is too large to keep",
  unreachable: "it cannot be looked at",
  erased: "it was erased for good",
  missing: "it was lost, since the database is damaged",
} as const satisfies Record<Textless, string>;

function outputWords({ size, file }: OutputSize): string {
  return `${sizeWords(size)}${file === undefined ? "" : ` of ${field(file)}`}`;
}

/** `12 prompts, 30 calls (20 read; 8 bash; and 2 more) with their output, and the answers`. */
function earlierWords({ prompts, calls, tools, more }: EarlierNotice): string {
  const named = tools.map((one) => `${one.calls} ${field(one.tool)}`).join("; ");
  const rest = more === undefined ? "" : `; and ${more} more`;
  return [
    ...(prompts === undefined ? [] : [counted(prompts, "prompt")]),
    ...(calls === 0 ? [] : [`${counted(calls, "call")} (${named}${rest}) with their output`]),
    "and the answers",
  ].join(", ");
}

const turnsWords = ({ from, to }: EarlierNotice["turns"]): string =>
  from === to ? `turn ${from}` : `turns ${from} to ${to}`;

function callWords({ tool, target }: CallTarget): string {
  return target === undefined ? field(tool) : `${field(tool)} ${field(target)}`;
}

function sizeWords(size: TextSize): string {
  if ("from" in size) return `lines ${size.from}-${size.to}`;
  return "lines" in size ? counted(size.lines, "line") : counted(size.chars, "character");
}

const callsWords = (calls: number): string => `${counted(calls, "call")} above`;

function checkoutWords(checkout: CheckoutFields | undefined): string {
  if (checkout === undefined) return "none";
  const { root, commit, branch } = checkout;
  return `${field(root)}${commit === undefined ? "" : ` commit ${field(commit)}`}${branch === undefined ? "" : ` branch ${field(branch)}`}`;
}

const counted = (count: number, one: string): string => `${count} ${one}${count === 1 ? "" : "s"}`;
