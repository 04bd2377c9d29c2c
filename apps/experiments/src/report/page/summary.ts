import { defined } from "@cm/object-model";
import { html, type Markup } from "@cm/report-page";
import { fixed, grouped, percent } from "../../numbers.ts";
import { missedWords } from "../family-table.ts";
import { limits } from "../limits.ts";
import { type Inks, plainPolicy } from "../plots/palette.ts";
import { shareOf } from "../policy-summary.ts";
import { type ResultRow, resultRow, type SessionRuns, totalRows } from "../result-rows.ts";
import { nameOf, policyName, sessionAnchor } from "./names.ts";

/** The table of the terminal, what matters first, with totals where there are several sessions. */
export function summaryTable(sessions: readonly SessionRuns[], inks: Inks): Markup {
  const all = sessions.flatMap(({ runs }) => runs);
  const groups = sessions.map(
    ({ file, runs }, at) => html`<tbody>
<tr><th colspan="14" scope="rowgroup" class="file">${linked(file, at)}</th></tr>
${runs.map((run) => row(resultRow(run), inks))}</tbody>
`,
  );
  const totals = html`<tbody class="total">
<tr><th colspan="14" scope="rowgroup" class="file">All ${sessions.length} sessions</th></tr>
${totalRows(all).map((total) => row(total, inks))}</tbody>
`;
  return html`<div class="scroll" role="region" aria-label="Results" tabindex="0">
<table class="results">
<thead><tr>
<th scope="col">policy</th><th scope="col">billed %</th><th scope="col">faulted %</th><th scope="col">cut off %</th>
<th scope="col">needed</th><th scope="col">missed</th><th scope="col">union %</th><th scope="col">cited %</th><th scope="col">in line %</th><th scope="col">copied %</th>
<th scope="col">sent %</th><th scope="col">cached %</th><th scope="col">peak, characters</th><th scope="col">calls</th>
</tr></thead>
${groups}${sessions.length > 1 ? totals : undefined}</table>
</div>
`;
}

/** Only the first sessions have a section to go to. */
function linked(file: string, at: number): Markup {
  return at < limits.filesDrawnMax ? html`<a href="#${sessionAnchor(at)}">${nameOf(file)}</a>` : nameOf(file);
}

function row(figures: ResultRow, inks: Inks): Markup {
  const { policy, calls, billedShare, sentShare, cachedShare, peakChars, neededMet, needed } = figures;
  const missed = { texts: needed - neededMet, ...defined({ files: figures.missedFiles }) };
  return html`<tr${policy === plainPolicy ? html` class="plain"` : undefined}><th scope="row">${policyName(policy, inks)}</th>
<td class="billed" style="--bar:${barOf(billedShare)};--colour:${inks(policy).colour}">${percent(billedShare)}</td><td>${percentOf(figures.faultedShare)}</td><td>${percentOf(figures.cutOffShare)}</td>
<td>${neededMet}/${needed}</td><td>${missedWords(missed)}</td><td>${percentOf(shareOf(figures.unionMet, figures.union))}</td><td>${percentOf(shareOf(figures.citedMet, figures.cited))}</td><td>${percentOf(shareOf(figures.citedInLine, figures.cited))}</td><td>${percentOf(shareOf(figures.copiedMet, figures.copied))}</td>
<td>${percent(sentShare)}</td><td>${percent(cachedShare)}</td><td>${grouped(peakChars)}</td><td>${grouped(calls)}</td></tr>
`;
}

const percentOf = (share: number | undefined): string => percent(share ?? Number.NaN);

/** A bar below the number; as long as the cell is at 100 % and above. */
function barOf(share: number): string {
  return fixed(Math.min(1, Math.max(0, share || 0)), 3);
}
