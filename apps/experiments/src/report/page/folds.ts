import type { RunResult } from "@cm/replay";
import { html, type Markup } from "@cm/report-page";
import { counted } from "@cm/terminal-text";
import { fixed, grouped, noNumber } from "../../numbers.ts";
import { type CutFigures, cutsOf, paidBackAfter } from "../cuts.ts";
import { limits } from "../limits.ts";
import { partName } from "./names.ts";
import { reasonsMeant } from "./reasons.ts";

/** The places and reasons of a policy's rewriting: reasons counted, and the first folds one by one. */
export function folds(run: RunResult): Markup {
  const all = cutsOf(run);
  if (all.length === 0)
    return html`<p class="no-folds">No folds${breaksOf(run)}.</p>
`;
  const more = all.length - limits.foldsListedMax;
  return html`<details${all.length <= limits.openRowsMax ? html` open` : undefined}>
<summary>${counted(all.length, "fold")} <span class="quiet">${reasonsOf(all)}</span></summary>
<p class="quiet">${balance(all)}${reasonsMeant(all.map(({ reason }) => reason))}</p>
<div class="scroll" role="region" aria-label="Folds under ${run.policy}" tabindex="0">
<table class="folds">
<thead><tr><th scope="col">call</th><th scope="col">from log entry</th><th scope="col">reason</th><th scope="col">parts</th><th scope="col">saved, characters</th><th scope="col">price of the cut</th><th scope="col">rent ended, a call</th><th scope="col">paid back after</th></tr></thead>
<tbody>
${all.slice(0, limits.foldsListedMax).map(foldRow)}</tbody>
</table>
</div>
${more > 0 ? html`<p>${counted(more, "more fold")}</p>` : undefined}
</details>
`;
}

/** A layout that is written anew each time decides no folds and yet keeps no beginning. */
function breaksOf({ totals }: RunResult): Markup | undefined {
  if (totals.breaksPer100 === 0) return undefined;
  return html`, <span class="quiet">but ${fixed(totals.breaksPer100)} of 100 requests do not begin with the whole request before</span>`;
}

function foldRow(fold: CutFigures): Markup {
  const { call, cut, part, reason, parts, savedChars, price, rent } = fold;
  const about = part === undefined ? undefined : html` <span class="quiet">${partName(part)}</span>`;
  return html`<tr><th scope="row">${grouped(call + 1)}</th><td>${grouped(cut)}${about}</td><td>${reason}</td><td>${numberOf(parts)}</td><td>${numberOf(savedChars)}</td><td>${fold.cold ? "none, cold" : numberOf(price)}</td><td>${numberOf(rent)}</td><td>${paidBack(fold)}</td></tr>
`;
}

function paidBack(fold: CutFigures): string {
  const after = paidBackAfter(fold);
  if (after === 0) return "at once";
  if (after === undefined) return fold.price === undefined || fold.rent === undefined ? noNumber : "never";
  return after <= fold.callsLeft ? counted(after, "call") : `not in the ${grouped(fold.callsLeft)} left`;
}

/** The cost of all cuts together, and the cost of the removed text to the end of the session. */
function balance(all: readonly CutFigures[]): string {
  const known = all.filter(({ price, rent }) => price !== undefined && rent !== undefined);
  const price = known.reduce((sum, fold) => sum + (fold.price ?? 0), 0);
  const ended = known.reduce((sum, fold) => sum + (fold.rent ?? 0) * fold.callsLeft, 0);
  return `Prices are in characters of plain input. Together these cuts cost ${grouped(price)}, and the text that left would have cost ${grouped(ended)} to the end of the session.`;
}

function numberOf(value: number | undefined): string {
  return grouped(value ?? Number.NaN);
}

/** `(rent 20, window 3)`, the most frequent first. */
function reasonsOf(all: readonly CutFigures[]): string {
  const groups = [...Map.groupBy(all, ({ reason }) => reason)].map(([reason, group]) => ({
    reason,
    count: group.length,
  }));
  const ordered = groups.toSorted((a, b) => b.count - a.count);
  const named = ordered.slice(0, limits.reasonsNamedMax).map(({ reason, count }) => `${reason} ${count}`);
  const more = ordered.length - named.length;
  return `(${[...named, ...(more > 0 ? [counted(more, "more reason")] : [])].join(", ")})`;
}
