import type { ContextView, PartForm, RepeatedRun, ResultEntry } from "@cm/context-log";
import { sha256 } from "@cm/object-model";
import { escapeForeign, noticeLine } from "@cm/prompt-grammar";
import { type TextLine, textLines } from "@cm/tool-calls";
import { logPlaces } from "./log-places.ts";
import { repeatedReminder, sparseText } from "./sparse-result.ts";
import { callOfPart, countedText } from "./standing-text.ts";

type Pointer = Extract<PartForm, { form: "pointer" }>;

/** How a message's id says it, and all that it depends on besides the entry. */
export function pointerKey(view: ContextView, { runs }: Pointer): string {
  const gone = runs.filter((run) => baseText(view, run) === undefined).map((run) => run.in);
  // A decision that was recorded has its members in another order.
  const places = runs.map(({ line, count, in: base, from }) => [line, count, base, from]);
  return `pointer@${sha256(JSON.stringify([places, gone])).slice(0, 12)}`;
}

/**
 * An output whose repeated lines are left out, each run with a line that says where they stand. Other lines stand as in
 * the sparse form. Where the text that a run points at is gone for good, or is another one, the run stands itself.
 */
export function pointerText(
  view: ContextView,
  entry: ResultEntry,
  { runs, id, text }: Pick<Pointer, "runs"> & { readonly id: string; readonly text: string },
): string {
  const lines = textLines(text);
  const sparse = sparseText(text, repeatedReminder(view, entry)).split("\n");
  const pieces: string[] = [];
  let next = 0;
  const stand = (to: number): void => {
    const end = Math.min(to, sparse.length);
    if (next >= end) return;
    // Behind a line of ours the next number says where the text goes on.
    const [first = "", ...others] = sparse.slice(next, end);
    pieces.push(escapeForeign([pieces.length === 0 ? first : (lines[next]?.whole ?? first), ...others].join("\n")));
  };
  for (const run of runs) {
    const base = baseText(view, run);
    if (base === undefined || run.line + run.count > lines.length) continue;
    stand(run.line);
    next = run.line + run.count;
    pieces.push(runLine(view, entry, { run, id, lines, base: textLines(base) }));
  }
  stand(lines.length);
  return pieces.join("\n");
}

const baseText = (view: ContextView, run: RepeatedRun): string | undefined =>
  countedText(view.log[Number.parseInt(run.in, 10)], run.in);

interface RunFacts {
  readonly run: RepeatedRun;
  readonly id: string;
  readonly lines: readonly TextLine[];
  readonly base: readonly TextLine[];
}

function runLine(view: ContextView, entry: ResultEntry, { run, id, lines, base }: RunFacts): string {
  const isWritten = run.in.includes(".");
  const between = logPlaces(view).callsBetween(Number.parseInt(run.in, 10), entry.at);
  return noticeLine({
    kind: "same-lines",
    left: numbersOf(lines, run.line, run.count),
    same: numbersOf(base, run.from, run.count),
    where: isWritten ? "written" : "output",
    callsAbove: isWritten ? between - callOfPart(run.in) - 1 : between,
    id,
  });
}

/** As a tool numbers them, else counted from the first line of the text. */
function numbersOf(
  lines: readonly TextLine[],
  line: number,
  count: number,
): { readonly from: number; readonly to: number } {
  const from = lines[line]?.number ?? line + 1;
  return { from, to: from + count - 1 };
}
