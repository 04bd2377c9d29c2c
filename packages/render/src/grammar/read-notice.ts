import type { Textless } from "@cm/context-log";
import { defined } from "@cm/object-model";
import { fieldPattern, parseField } from "./field.ts";
import type { CheckoutFields, Notice, OutputSize, TextSize } from "./notice.ts";
import { fileWords, noOutputWords, stateWords } from "./wording.ts";

/** Reverses `noticeLine`; undefined for a line that is none. */
export function readNotice(line: string): Notice | undefined {
  for (const { pattern, read } of readers) {
    const found = pattern.exec(line);
    if (found !== null) return read((name) => found.groups?.[name]);
  }
  return undefined;
}

type Groups = (name: string) => string | undefined;

interface Reader {
  readonly pattern: RegExp;
  readonly read: (group: Groups) => Notice;
}

/** A field that the line must have, or may have. */
const named = (name: string): string => `(?<${name}>${fieldPattern.slice(1, -1)})`;
const count = (name: string): string => `(?<${name}>\\d+)`;
const oneOf = (name: string, words: Readonly<Record<string, string>>): string =>
  `(?<${name}>${Object.values(words).map(escapeRegExp).join("|")})`;
const call = `${named("tool")}(?: ${named("target")})?`;
const size = "(?:lines (?<from>\\d+)-(?<to>\\d+)|(?<lines>\\d+) lines?|(?<chars>\\d+) characters?)";
const output = `${size}(?: of ${named("of")})?`;
const calls = `${count("calls")} calls? above`;
const show = `; cm_context show ${named("id")}`;
const one = `(?:${fieldPattern.slice(1, -1)})`;
const several = `${one}(?: ${one})*`;
const eachTool = new RegExp(`(\\d+) (${one})`, "g");

const readers: readonly Reader[] = [
  reader(
    `${output} left out(?<failed>, failed)?(?:, ${oneOf("since", fileWords)})?` +
      `(?:, ${count("below")} (?:of them|lines? of it) below)?(?:; words in the rest: (?<words>${several}))?${show}`,
    (group) => {
      const below = group("below");
      const words = fieldsIn(group("words"));
      const since = keyOf(fileWords, group("since"));
      return {
        kind: "left-out",
        ...outputOf(group),
        id: text(group, "id"),
        ...(group("failed") === undefined ? {} : { failed: true }),
        ...defined({ since }),
        ...(below === undefined ? {} : { linesBelow: Number(below) }),
        ...(words.length === 0 ? {} : { words }),
      };
    },
  ),
  reader(
    `left out above, of turns? ${count("from")}(?: to ${count("to")})?: (?:${count("prompts")} prompts?, )?` +
      `(?:${count("calls")} calls? \\((?<tools>\\d+ ${one}(?:; \\d+ ${one})*)(?:; and ${count("more")} more)?\\) with their output, )?` +
      "and the answers; cm_context show turn\\d+, or list",
    (group) => {
      const [prompts, from, to, more] = [group("prompts"), group("from"), group("to"), group("more")];
      return {
        kind: "earlier",
        calls: Number(group("calls") ?? 0),
        tools: Array.from((group("tools") ?? "").matchAll(eachTool), ([, calls, tool = ""]) => {
          return { tool: parseField(tool), calls: Number(calls) };
        }),
        ...(more === undefined ? {} : { more: Number(more) }),
        ...(prompts === undefined ? {} : { prompts: Number(prompts) }),
        turns: { from: Number(from), to: Number(to ?? from) },
      };
    },
  ),
  reader(`the same ${output} as ${calls}${show}`, (group) => {
    return { kind: "same-text", ...outputOf(group), id: text(group, "id"), callsAbove: Number(group("calls")) };
  }),
  reader(`${output} left out that repeat the call's arguments${show}`, (group) => {
    return { kind: "repeated-arguments", ...outputOf(group), id: text(group, "id") };
  }),
  reader(`${output} left out; below is what changed since ${calls}${show}`, (group) => {
    return { kind: "changed-lines", ...outputOf(group), id: text(group, "id"), callsAbove: Number(group("calls")) };
  }),
  reader(oneOf("why", noOutputWords), (group) => {
    return { kind: "no-output", why: keyOf(noOutputWords, group("why")) ?? "unknown" };
  }),
  reader(
    `(?:${count("chars")} characters?)?(?: and )?(?:${count("attachments")} attachments?)? left out here(?:${show})?`,
    (group) => {
      const [attachments, id] = [group("attachments"), group("id")];
      return {
        kind: "cut",
        chars: Number(group("chars") ?? 0),
        ...(attachments === undefined ? {} : { attachments: Number(attachments) }),
        ...(id === undefined ? {} : { id: parseField(id) }),
      };
    },
  ),
  reader(
    `brought back here: (?:(?<input>output|arguments) of ${call}|file ${named("path")}), ${size} \\(${named("id")}\\)` +
      `(?:, the part that was seen; ${oneOf("state", stateWords)})?`,
    (group) => {
      const partly = stateOf(group);
      const isInput = group("input") === "arguments";
      return {
        kind: "brought-back",
        ...(isInput ? { input: true } : {}),
        ...(group("path") === undefined ? callTargetOf(group) : { path: text(group, "path") }),
        id: isInput ? text(group, "id").replace(/\.input$/, "") : text(group, "id"),
        size: sizeOf(group),
        ...defined({ partly }),
      };
    },
  ),
  reader("while this session was away:", () => ({ kind: "resumed" })),
  reader(
    `${named("path")} \\(${named("id")}\\) changed(?:: ${count("added")} lines? added, ${count("removed")} removed)?` +
      `(?:, ${count("omitted")} changed places? not shown)?(?:; ${oneOf("state", stateWords)})?`,
    (group) => {
      const [added, removed, omitted, state] = [group("added"), group("removed"), group("omitted"), stateOf(group)];
      return {
        kind: "resumed-file",
        id: text(group, "id"),
        path: text(group, "path"),
        ...defined({ state }),
        ...(added === undefined ? {} : { added: Number(added) }),
        ...(removed === undefined ? {} : { removed: Number(removed) }),
        ...(omitted === undefined ? {} : { placesOmitted: Number(omitted) }),
      };
    },
  ),
  reader(`working copy was ${checkout("was")}; is ${checkout("now")}`, (group) => {
    const [was, now] = [checkoutOf(group, "was"), checkoutOf(group, "now")];
    return { kind: "resumed-checkout", ...defined({ was, now }) };
  }),
  reader(`files below ${named("was")} are now below ${named("now")}`, (group) => {
    return { kind: "moved-folder", was: text(group, "was"), now: text(group, "now") };
  }),
  reader(`the file ${named("was")} \\(${named("id")}\\) is now at ${named("now")}`, (group) => {
    return { kind: "moved-file", id: text(group, "id"), was: text(group, "was"), now: text(group, "now") };
  }),
  reader(`${count("paths")} more paths? changed; cm_context list`, (group) => {
    return { kind: "moved-omitted", paths: Number(group("paths")) };
  }),
  reader(`${named("path")} \\(${named("id")}\\) cannot be looked at: ${named("reason")}`, (group) => {
    return { kind: "unreachable", id: text(group, "id"), path: text(group, "path"), reason: text(group, "reason") };
  }),
  reader(`${count("files")} more files? changed or cannot be looked at; cm_context list`, (group) => {
    return { kind: "omitted", files: Number(group("files")) };
  }),
  reader(
    `the window is full, so no longer pinned: (?<ids>${several})(?: \\(and ${count("omitted")} more\\))?`,
    (group) => {
      const omitted = group("omitted");
      return {
        kind: "released",
        ids: fieldsIn(group("ids")),
        ...(omitted === undefined ? {} : { omitted: Number(omitted) }),
      };
    },
  ),
];

function reader(pattern: string, read: Reader["read"]): Reader {
  return { pattern: new RegExp(`^\\[cm: ${pattern}\\]$`), read };
}

function checkout(side: "was" | "now"): string {
  return `(?:none|${named(`${side}Root`)}(?: commit ${named(`${side}Commit`)})?(?: branch ${named(`${side}Branch`)})?)`;
}

function checkoutOf(group: Groups, side: "was" | "now"): CheckoutFields | undefined {
  const [root, commit, branch] = [group(`${side}Root`), group(`${side}Commit`), group(`${side}Branch`)];
  if (root === undefined) return undefined;
  return {
    root: parseField(root),
    ...(commit === undefined ? {} : { commit: parseField(commit) }),
    ...(branch === undefined ? {} : { branch: parseField(branch) }),
  };
}

const text = (group: Groups, name: string): string => parseField(group(name) ?? "");

function callTargetOf(group: Groups): { readonly tool: string; readonly target?: string } {
  const target = group("target");
  return { tool: text(group, "tool"), ...(target === undefined ? {} : { target: parseField(target) }) };
}

function outputOf(group: Groups): OutputSize {
  const of = group("of");
  return { size: sizeOf(group), ...(of === undefined ? {} : { file: parseField(of) }) };
}

function sizeOf(group: Groups): TextSize {
  const [from, to, lines, chars] = [group("from"), group("to"), group("lines"), group("chars")];
  if (from !== undefined && to !== undefined) return { from: Number(from), to: Number(to) };
  return lines === undefined ? { chars: Number(chars) } : { lines: Number(lines) };
}

const stateOf = (group: Groups): Textless | undefined => keyOf(stateWords, group("state"));

function keyOf<Key extends string>(words: Readonly<Record<Key, string>>, word: string | undefined): Key | undefined {
  return (Object.keys(words) as Key[]).find((key) => words[key] === word);
}

const fieldsIn = (list: string | undefined): readonly string[] => (list?.match(eachField) ?? []).map(parseField);

const eachField = new RegExp(fieldPattern, "g");

function escapeRegExp(words: string): string {
  return words.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
