import { nonEmpty } from "@cm/object-model";
import type { ResumedBlock, ResumedCheckout, ResumedFile, ResumedPath } from "./block.ts";
import { escapeText, unescapeText } from "./escape.ts";
import { linesOf, maybe, number, text, within, words } from "./line.ts";
import { stateMark } from "./ssot-lines.ts";

/**
 * The report on resuming: its header, then one line for each thing that changed, and below a file the lines that did.
 * Lines of a diff begin with a space, a sign or `@@`, so that none can be taken for one of ours.
 */
export const resumedHeader = "context_resumed";

type ReportLine =
  | ({ readonly kind: "checkout" } & ResumedCheckout)
  | ({ readonly kind: "moved" } & ResumedPath)
  | { readonly kind: "moved-omitted"; readonly pathsOmitted: number }
  | ({ readonly kind: "changed" } & Omit<ResumedFile, "diff">)
  | ({ readonly kind: "unreachable" } & ResumedBlock["unreachable"][number])
  | { readonly kind: "omitted"; readonly omitted: number };

const was = words` was_root=${text("root")}${maybe` was_commit=${text("commit")}`}${maybe` was_branch=${text("branch")}`}`;
const now = words` root=${text("root")}${maybe` commit=${text("commit")}`}${maybe` branch=${text("branch")}`}`;
const counts = words`${maybe` added=${number("added")}`}${maybe` removed=${number("removed")}`}${maybe` hunks_omitted=${number("hunksOmitted")}`}`;
const where = words` id=${text("id")} path=${text("path")}`;

const reportLines = linesOf<ReportLine>({
  checkout: words`checkout${maybe`${within("was", was)}`}${maybe`${within("now", now)}`}`,
  "moved-omitted": words`moved paths_omitted=${number("pathsOmitted")}`,
  moved: words`moved${maybe` id=${text("id")}`} was=${text("was")} now=${text("now")}`,
  changed: words`changed${where}${counts}${stateMark("state")}`,
  unreachable: words`unreachable${where} reason=${text("reason")}`,
  omitted: words`omitted files=${number("omitted")}`,
});

export function resumedText(block: ResumedBlock): string {
  const { checkouts, paths = [], pathsOmitted, files, unreachable, omitted } = block;
  const { write } = reportLines;
  return [
    resumedHeader,
    ...checkouts.map((checkout) => write({ kind: "checkout", ...checkout })),
    ...paths.map((path) => write({ kind: "moved", ...path })),
    ...(pathsOmitted === undefined ? [] : [write({ kind: "moved-omitted", pathsOmitted })]),
    ...files.flatMap(({ diff, ...file }) => [
      write({ kind: "changed", ...file }),
      ...(diff === undefined ? [] : [escapeText(diff)]),
    ]),
    ...unreachable.map((file) => write({ kind: "unreachable", ...file })),
    ...(omitted === undefined ? [] : [write({ kind: "omitted", omitted })]),
  ].join("\n");
}

/** Reverses `resumedText`, without its header. */
export function parseResumed(report: string): ResumedBlock {
  const checkouts: ResumedCheckout[] = [];
  const paths: ResumedPath[] = [];
  const files: ResumedFile[] = [];
  const unreachable: ResumedBlock["unreachable"][number][] = [];
  let omissions: Pick<ResumedBlock, "pathsOmitted" | "omitted"> = {};
  for (const lines of report.split(/\n(?=[a-z])/)) {
    const end = lines.indexOf("\n");
    const found = reportLines.read(end < 0 ? lines : lines.slice(0, end));
    if (found === undefined) continue;
    const { kind, ...said } = found;
    if (kind === "checkout") checkouts.push(said as ResumedCheckout);
    else if (kind === "moved") paths.push(said as ResumedPath);
    else if (kind === "unreachable") unreachable.push(said as ResumedBlock["unreachable"][number]);
    else if (kind !== "changed") omissions = { ...omissions, ...said };
    else files.push({ ...(said as ResumedFile), ...(end < 0 ? {} : { diff: unescapeText(lines.slice(end + 1)) }) });
  }
  return { kind: "resumed", checkouts, ...nonEmpty({ paths }), files, unreachable, ...omissions };
}
