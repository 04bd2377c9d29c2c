import { drawn, html, type Markup, page } from "@cm/report-page";
import { counted, momentText } from "@cm/terminal-text";
import { limits } from "../limits.ts";
import { countText } from "../requests/request-words.ts";
import { heaviestOutputs } from "./heaviest-outputs.ts";
import { agentName, type ReportColumn, reportColumns, sessionName } from "./report-columns.ts";
import { shareWithLog } from "./report-figures.ts";
import { findings, whatCmIs, whatHappenedToData } from "./report-findings.ts";
import { reportStyle } from "./report-style.ts";
import type { ReportTerms } from "./report-terms.ts";
import { totalsOf } from "./report-totals.ts";
import type { SessionReport } from "./session-report.ts";

export interface PageNotes {
  /** What is not in the report, one sentence each. */
  readonly leftOut: readonly string[];
  readonly madeAtMs: number;
}

/** The report as one file that any browser opens, without a script and without anything to load. */
export function reportPage(
  reports: readonly SessionReport[],
  terms: ReportTerms,
  { leftOut, madeAtMs }: PageNotes,
): string {
  const columns = reportColumns(reports, terms);
  const title = "What your agent's sessions cost";
  return page({
    title,
    style: reportStyle,
    content: html`<h1>${title}</h1>
<p>${counted(reports.length, "session")}, made ${momentText(madeAtMs)}. ${whatHappenedToData}</p>
<p>${whatCmIs}</p>
<h2>What was found</h2>
<ul class="findings">${findings(reports, terms).map(
      ({ basis, text }) => html`
<li><span class="basis">${basis}</span> ${text}</li>`,
    )}
</ul>
${leftOut.map((sentence) => html`<p class="left-out">${sentence}</p>\n`)}<h2>Session by session</h2>
<p>The bar is what the tokens in cost when every request carries the whole conversation. Its filled part is the estimate with CM.</p>
${sessionTable(reports, columns, terms)}
<h2>What the columns mean</h2>
<dl>${columns.map(
      ({ title: name, basis, meaning }) => html`
<dt>${name} <span class="basis">${basis}</span></dt><dd>${meaning}</dd>`,
    )}
</dl>
${heaviestSection(reports)}`,
  });
}

function sessionTable(reports: readonly SessionReport[], columns: readonly ReportColumn[], terms: ReportTerms): Markup {
  const all = totalsOf(reports);
  const total = html`
<tr class="total"><th scope="row">all ${counted(reports.length, "session")}</th><td></td>${columns.map(
    ({ total: cell }) => html`<td>${cell(reports, terms)}</td>`,
  )}<td>${bar(shareWithLog(all))}</td></tr>`;
  return html`<div class="scroll"><table>
<thead><tr><th scope="col">session</th><th scope="col">agent</th>${columns.map(
    ({ title }) => html`<th scope="col">${title}</th>`,
  )}<th scope="col">of the whole</th></tr></thead>
<tbody>${reports.map(
    (report) => html`
<tr><th scope="row" title="${report.file}">${sessionName(report)}</th><td>${agentName(report)}</td>${columns.map(
      ({ cell }) => html`<td>${cell(report, terms)}</td>`,
    )}<td>${bar(shareWithLog(report))}</td></tr>`,
  )}${reports.length === 1 ? undefined : total}
</tbody></table></div>`;
}

/** Read aloud by the cell beside it, so the drawing itself is silent. */
function bar(share: number): Markup {
  const width = Math.max(0, Math.min(100, 100 * share)).toFixed(1);
  return drawn(
    `<svg class="bar" viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true"><rect class="whole" width="100" height="10"/><rect class="part" width="${width}" height="10"/></svg>`,
  );
}

function heaviestSection(reports: readonly SessionReport[]): Markup | undefined {
  const heaviest = heaviestOutputs(reports, limits.reportPageOutputsShown);
  if (heaviest.length === 0) return undefined;
  return html`<h2>Outputs that weighed most after their last use</h2>
<p>Each stood in so many more requests after the last answer that used it, or after the one that got it first. Keys and passwords of known shapes are left out.</p>
<div class="scroll"><table class="outputs">
<thead><tr><th scope="col">characters</th><th scope="col">requests</th><th scope="col">session</th><th scope="col">tool</th><th scope="col">about</th></tr></thead>
<tbody>${heaviest.map(
    ({ chars, requests, session, tool, target }) => html`
<tr><td>${countText(chars)}</td><td>${countText(requests)}</td><td>${session}</td><td>${tool}</td><td>${target}</td></tr>`,
  )}
</tbody></table></div>`;
}
