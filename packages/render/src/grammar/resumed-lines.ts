import { defined } from "@cm/object-model";
import type { ResumedBlock, ResumedCheckout, ResumedFile, ResumedPath } from "./block.ts";
import { escapeText, unescapeText } from "./escape.ts";
import { field, fieldPattern, parseField } from "./field.ts";
import type { CheckoutFields } from "./notice.ts";
import { stateMark, textlessNamed, textlessPattern } from "./textless.ts";

/**
 * The report on resuming: its header, then one line for each thing that changed, and below a file the lines that did.
 * Lines of a diff begin with a space, a sign or `@@`, so that none can be taken for one of ours.
 */
export const resumedHeader = "context_resumed";

export function resumedText({
  checkouts,
  paths = [],
  pathsOmitted,
  files,
  unreachable,
  omitted,
}: ResumedBlock): string {
  return [
    resumedHeader,
    ...checkouts.map(({ was, now }) => `checkout${checkoutFields("was_", was)}${checkoutFields("", now)}`),
    ...paths.map(({ id, was, now }) => `moved${fields({ id, was, now })}`),
    ...(pathsOmitted === undefined ? [] : [`moved paths_omitted=${pathsOmitted}`]),
    ...files.flatMap(fileLines),
    ...unreachable.map(({ id, path, reason }) => `unreachable${fields({ id, path, reason })}`),
    ...(omitted === undefined ? [] : [`omitted files=${omitted}`]),
  ].join("\n");
}

/** Reverses `resumedText`, without its header. */
export function parseResumed(text: string): ResumedBlock {
  const block: Draft = { checkouts: [], files: [], unreachable: [] };
  for (const lines of text.split(/\n(?=[a-z])/)) {
    const end = lines.indexOf("\n");
    const line = end < 0 ? lines : lines.slice(0, end);
    take(block, line, end < 0 ? undefined : lines.slice(end + 1));
  }
  return { kind: "resumed", ...block };
}

interface Draft {
  checkouts: ResumedCheckout[];
  paths?: ResumedPath[];
  pathsOmitted?: number;
  files: ResumedFile[];
  unreachable: { id: string; path: string; reason: string }[];
  omitted?: number;
}

function take(block: Draft, line: string, diff: string | undefined): void {
  const [word = ""] = line.split(" ", 1);
  const values = valuesIn(line);
  const { id = "", path = "", reason = "", files } = values;
  if (word === "checkout") block.checkouts.push(checkoutIn(values));
  if (word === "moved") takePath(block, values);
  if (word === "changed") block.files.push({ id, path, ...marksIn(line, values), ...diffIn(diff) });
  if (word === "unreachable") block.unreachable.push({ id, path, reason });
  if (word === "omitted") block.omitted = Number(files);
}

function takePath(block: Draft, { id, was, now, paths_omitted: omitted }: Readonly<Record<string, string>>): void {
  if (omitted !== undefined) block.pathsOmitted = Number(omitted);
  if (was === undefined || now === undefined) return;
  block.paths = [...(block.paths ?? []), { was, now, ...defined({ id }) }];
}

function fileLines({ id, path, state, added, removed, diff, hunksOmitted }: ResumedFile): readonly string[] {
  const counts = fields({ added, removed, hunks_omitted: hunksOmitted });
  const header = `changed${fields({ id, path })}${counts}${stateMark(state)}`;
  return diff === undefined ? [header] : [header, escapeText(diff)];
}

function checkoutFields(prefix: string, checkout: CheckoutFields | undefined): string {
  if (checkout === undefined) return "";
  const { root, commit, branch } = checkout;
  return fields({ [`${prefix}root`]: root, [`${prefix}commit`]: commit, [`${prefix}branch`]: branch });
}

function fields(values: Readonly<Record<string, string | number | undefined>>): string {
  return Object.entries(values)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => ` ${name}=${field(`${value}`)}`)
    .join("");
}

const eachField = new RegExp(` ([a-z_]+)=${fieldPattern}`, "g");

function valuesIn(line: string): Readonly<Record<string, string>> {
  return Object.fromEntries(
    [...line.matchAll(eachField)].map(([, name = "", value = ""]) => [name, parseField(value)]),
  );
}

const stateAtEnd = new RegExp(` \\[(${textlessPattern})\\]$`);

function marksIn(
  line: string,
  { added, removed, hunks_omitted }: Readonly<Record<string, string>>,
): Pick<ResumedFile, "state" | "added" | "removed" | "hunksOmitted"> {
  const state = textlessNamed(stateAtEnd.exec(line)?.[1]);
  return {
    ...defined({ state }),
    ...(added === undefined ? {} : { added: Number(added) }),
    ...(removed === undefined ? {} : { removed: Number(removed) }),
    ...(hunks_omitted === undefined ? {} : { hunksOmitted: Number(hunks_omitted) }),
  };
}

const diffIn = (diff: string | undefined): Pick<ResumedFile, "diff"> =>
  diff === undefined ? {} : { diff: unescapeText(diff) };

function checkoutIn(values: Readonly<Record<string, string>>): ResumedCheckout {
  const was = checkoutWith("was_", values);
  const now = checkoutWith("", values);
  return { ...defined({ was, now }) };
}

function checkoutWith(prefix: string, values: Readonly<Record<string, string>>): CheckoutFields | undefined {
  const { [`${prefix}root`]: root, [`${prefix}commit`]: commit, [`${prefix}branch`]: branch } = values;
  if (root === undefined) return undefined;
  return { root, ...defined({ commit, branch }) };
}
