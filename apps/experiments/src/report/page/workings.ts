import type { CallFigures, RunResult } from "@cm/replay";
import { html, type Markup } from "@cm/report-page";
import { fixed } from "../../numbers.ts";
import type { Inks } from "../plots/palette.ts";
import { nameOf, policyName } from "./names.ts";

const places: Readonly<Record<RunResult["store"], string>> = {
  sqlite: "a file",
  memory: "in memory",
  postgres: "Postgres",
  xtdb: "XTDB",
};

/** How the runs of one session were made, and where to look them up. */
export function workings(runs: readonly RunResult[], inks: Inks): Markup {
  return html`<div class="scroll" role="region" aria-label="Workings" tabindex="0">
<table class="workings">
<thead><tr><th scope="col">policy</th><th scope="col">layout</th><th scope="col">breaks per 100 calls</th><th scope="col">assemble, ms</th><th scope="col">record, ms</th><th scope="col">database</th><th scope="col">session</th></tr></thead>
<tbody>
${runs.map((run) => workingsRow(run, inks))}</tbody>
</table>
</div>
`;
}

function workingsRow(run: RunResult, inks: Inks): Markup {
  const { policy, layout, totals, calls, database, store, session } = run;
  return html`<tr><th scope="row">${policyName(policy, inks)}</th><td>${nameOf(layout)}</td><td>${fixed(totals.breaksPer100)}</td>
<td>${fixed(median(calls, "assembleMs"), 2)}</td><td>${fixed(median(calls, "recordMs"), 2)}</td>
<td>${database === undefined ? places[store] : nameOf(database)}</td><td><code>${nameOf(session)}</code></td></tr>
`;
}

function median(calls: readonly CallFigures[], figure: "assembleMs" | "recordMs"): number {
  const sorted = calls.map((call) => call[figure]).toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
