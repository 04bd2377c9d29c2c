import {
  type FamilySummary,
  type FigureName,
  familyName,
  familySummaries,
  type Interval,
  type RunResult,
} from "@cm/replay";
import { html, type Markup } from "@cm/report-page";
import { counted } from "@cm/terminal-text";
import { noNumber, percent } from "../../numbers.ts";
import { type Inks, plainPolicy } from "../plots/palette.ts";
import type { SessionRuns } from "../result-rows.ts";
import { nameOf, policyName, sessionLink } from "./names.ts";

const columns = 12;

/** Families of agents apart, then all of them: the total with its interval beside the mean and the worst session. */
export function familySection(runs: readonly RunResult[], sessions: readonly SessionRuns[], inks: Inks): Markup {
  const summaries = familySummaries(runs);
  const groups = Map.groupBy(summaries, ({ family }) => family);
  return html`<section aria-labelledby="families">
<h2 id="families">By agent</h2>
<p class="quiet">Shares in per cent; total, mean, worst and cut off are of what was billed. Below a figure stands its interval:
how much it depends on which sessions were replayed.</p>
<div class="scroll" role="region" aria-label="By agent" tabindex="0">
<table class="results families">
<thead><tr><th scope="col">policy</th><th scope="col">total</th><th scope="col">mean</th><th scope="col">worst</th><th scope="col">cut off</th><th scope="col">faulted</th><th scope="col">needed</th><th scope="col">missed</th><th scope="col">union</th><th scope="col">cited</th><th scope="col">in line</th><th scope="col">copied</th></tr></thead>
${[...groups.values()].map((group) => family(group, sessions, inks))}</table>
</div>
</section>
`;
}

function family(group: readonly FamilySummary[], sessions: readonly SessionRuns[], inks: Inks): Markup {
  const [first] = group;
  const name = first?.family === undefined ? "All agents" : familyName(first.family);
  return html`<tbody>
<tr><th colspan="${columns}" scope="rowgroup" class="file">${nameOf(name)} <span class="quiet">${counted(first?.sessions ?? 0, "session")}</span></th></tr>
${group.map((summary) => row(summary, sessions, inks))}</tbody>
`;
}

function row(summary: FamilySummary, sessions: readonly SessionRuns[], inks: Inks): Markup {
  const { policy, total, mean, worst, cutOff, missed, intervals } = summary;
  const figure = (name: FigureName) => cell(total[name], intervals?.total[name]);
  // Plain is what all shares compare with: no session of it is the worst.
  const link = (file: string) =>
    policy === plainPolicy ? undefined : sessionLink(sessions.findIndex((session) => session.file === file));
  return html`<tr${policy === plainPolicy ? html` class="plain"` : undefined}><th scope="row">${policyName(policy, inks)}</th>
${figure("billed")}${cell(mean.billed, intervals?.mean.billed)}<td>${percent(worst.share)}${link(worst.file)}</td><td>${percent(cutOff?.share ?? Number.NaN)}${cutOff === undefined || policy === plainPolicy ? undefined : html`<small>after ${counted(cutOff.calls, "call")}</small>`}</td>
${figure("faulted")}${figure("needed")}<td>${missedCell(missed)}</td>${figure("union")}${figure("cited")}${figure("inLine")}${figure("copied")}</tr>
`;
}

function cell(share: number | undefined, interval: Interval | undefined): Markup {
  if (share === undefined) return html`<td>${noNumber}</td>`;
  const bounds = interval?.map((bound) => percent(bound));
  const text = bounds === undefined || bounds[0] === bounds[1] ? undefined : bounds.join("–");
  return html`<td>${percent(share)}${text === undefined ? undefined : html`<small>${text}</small>`}</td>`;
}

function missedCell({ texts, files, sessions }: FamilySummary["missed"]): Markup {
  if (texts === 0) return html`0`;
  const of = files === undefined ? undefined : `${counted(files, "file")}, `;
  return html`${texts}<small>${of}${counted(sessions, "session")}</small>`;
}
