import { canonicalJson, isCmError } from "@cm/object-model";
import { isNote, recalledEntries, recalledText } from "../appended-entries.ts";
import { askedBy } from "../asked-by.ts";
import { logError } from "../errors.ts";
import type { LogEntry } from "../log-entries.ts";
import { viewAfterOmission } from "../omitted-entries.ts";
import { basesOf, type PartForm, type TextSpan } from "../part-form.ts";
import { toldFault } from "../told-notes.ts";
import type { ContextView, PlaceRange, PromptDecision } from "../view.ts";

const knownForms: ReadonlySet<string> = new Set<PartForm["form"]>([
  "full",
  "sparse",
  "same",
  "diff",
  "pointer",
  "reference",
  "spans",
  "replaced",
]);

const fileFacts: ReadonlySet<unknown> = new Set([undefined, "changed", "unchanged"]);

/**
 * A policy is handed in from outside: what it names must be in the view it was shown. The answer is a copy, as it will
 * be recorded: data only, and of the recalled objects those that have a text to bring back.
 * @throws CmError `session/invalid-decision`
 */
export function checkDecision(whole: ContextView, decided: PromptDecision): PromptDecision {
  const decision = copyOf(decided);
  checkOmission(whole, decision.omit ?? []);
  const { view } = viewAfterOmission(whole, decision);
  const end = view.log.length + recalledEntries(view, decision).length;
  for (const [part, form] of Object.entries(decision.forms ?? {})) {
    if (!isAppended(view, part, end)) checkPart(view, part);
    if (!knownForms.has(form?.form)) wrong(`for part ${part} none of the forms ${[...knownForms].join(", ")}`);
    if (form.form === "spans" && !(isCount(form.head) && isCount(form.tail)))
      wrong("ends of a text that are no numbers");
    if (form.form !== "spans" && isDialogue(view, part)) wrong("a form that what was said cannot take");
    if (form.form === "reference" && !fileFacts.has(form.file)) wrong("what no file can have become");
    checkSpans(form);
    checkRuns(form);
    for (const base of basesOf(form)) checkPart(view, base);
  }
  for (const id of [...(decision.recall ?? []).map((one) => one?.object), ...(decision.deactivate ?? [])]) {
    if (!view.sets.index.has(id)) wrong("an object outside the session's index");
  }
  for (const { into } of decision.recall ?? []) {
    if (view.log[into]?.kind !== "result") wrong("a place for recalled text that is no result");
  }
  const fault = toldFault(decision, view.sets.pinned);
  if (fault !== undefined) wrong(fault);
  const cut = decision.fold?.cut;
  if (cut !== undefined && !(Number.isInteger(cut) && cut >= 0 && cut <= view.log.length))
    wrong("a cut outside the log");
  if (decision.poolChars !== undefined && !isCount(decision.poolChars)) wrong("a length of the pool that is no number");
  const { recall, ...rest } = decision;
  const withText = (recall ?? []).filter((one) => recalledText(view, one) !== undefined);
  return withText.length > 0 ? { ...rest, recall: withText } : rest;
}

/** Later changes by the policy must not reach what was rendered, and what cannot be stored must fail before it is sent. */
function copyOf(decision: PromptDecision): PromptDecision {
  try {
    return JSON.parse(canonicalJson(decision));
  } catch (error) {
    if (isCmError(error)) wrong("what cannot be stored as JSON");
    throw error;
  }
}

/** What stays of a folded text is named by place: a step never repeats content. */
function checkSpans(form: PartForm): void {
  if (form.form !== "reference") return;
  for (const span of [...(form.names ?? []), ...(form.lines ?? [])]) {
    if (!isSpan(span)) wrong("a place in a text that is none");
  }
}

function isSpan(span: TextSpan): boolean {
  if (!Array.isArray(span) || span.length !== 2) return false;
  const [start, end] = span;
  return Number.isSafeInteger(start) && Number.isSafeInteger(end) && start >= 0 && end > start;
}

function checkRuns(form: PartForm): void {
  if (form.form !== "pointer") return;
  if (!Array.isArray(form.runs)) wrong("repeated lines that are no list");
  let end = 0;
  for (const run of form.runs) {
    const { line, count, from } = run ?? {};
    if (!isCount(line) || !isCount(from) || !isCount(count) || count === 0 || line < end || typeof run.in !== "string")
      wrong("repeated lines that are none");
    end = line + count;
  }
}

const isCount = (count: unknown): boolean => Number.isSafeInteger(count) && Number(count) >= 0;

/** A text that this very decision brings back. */
const isAppended = (view: ContextView, part: string, end: number): boolean =>
  /^[1-9][0-9]{0,9}$|^0$/.test(part) && Number(part) >= view.log.length && Number(part) < end;

/** Text of user or model, whose place is its part. */
function isDialogue(view: ContextView, part: string): boolean {
  const kind = part.includes(".") ? undefined : view.log[Number(part)]?.kind;
  return kind === "user" || kind === "assistant";
}

/** Notes are told once and stay, but for texts that were brought back: those can be folded again. */
const isFormless = (entry: LogEntry): boolean =>
  entry.kind === "omitted" || (isNote(entry) && entry.kind !== "recalled");

/** Ascending ranges within the log that part no call from its result, and take no newest answer whose calls still wait for theirs. */
function checkOmission({ log, turn }: ContextView, omit: readonly PlaceRange[]): void {
  if (omit.length === 0) return;
  let end = 0;
  const leaving = new Set<number>();
  for (const range of omit) {
    const [from, to] = Array.isArray(range) && range.length === 2 ? range : [0, 0];
    if (!isCount(from) || !isCount(to) || from < end || to <= from || to > log.length) wrong("entries outside the log");
    end = to;
    for (let at = from; at < to; at += 1) leaving.add(at);
  }
  const open = new Map<number, number>();
  for (const at of leaving) {
    const entry = log[at];
    if (entry?.kind === "assistant") open.set(at, entry.calls.length);
  }
  for (const [result, answer] of askedBy(log)) {
    if (leaving.has(result) !== leaving.has(answer)) wrong("a call without its result, or a result without its call");
    if (leaving.has(answer)) open.set(answer, (open.get(answer) ?? 0) - 1);
  }
  const newest = log.findLast(({ kind }) => kind === "assistant");
  if (newest !== undefined && newest.turn >= turn && (open.get(newest.at) ?? 0) > 0)
    wrong("a call that waits for its result");
}

/** `{at}` of what can take another form, or `{at}.{call}` of an answer. */
function checkPart(view: ContextView, part: string): void {
  const [, at, call] = /^(0|[1-9][0-9]{0,9})(?:\.(0|[1-9][0-9]{0,3}))?$/.exec(part) ?? [];
  const entry = at === undefined ? undefined : view.log[Number(at)];
  const there =
    call === undefined
      ? entry !== undefined && !isFormless(entry)
      : entry?.kind === "assistant" && Number(call) < entry.calls.length;
  if (at === undefined) wrong("a part that is neither `{at}` nor `{at}.{call}`");
  if (!there) wrong(`part ${part}, which is not in the log or has no form`);
}

function wrong(what: string): never {
  throw logError("session/invalid-decision", `The policy's decision names ${what}; the policy is at fault.`);
}
