import type { RunResult } from "@cm/replay";
import { html, type Markup } from "@cm/report-page";
import { counted } from "@cm/terminal-text";
import type { Draw } from "../plots/draw.ts";
import type { Inks } from "../plots/palette.ts";
import { policySummaries } from "../policy-summary.ts";
import type { SessionRuns } from "../result-rows.ts";
import { lineFigures } from "./line-figures.ts";
import { nameOf, policyName } from "./names.ts";
import { policySection } from "./policy-section.ts";
import { residentFigures } from "./resident-figures.ts";
import { shareChart } from "./share-chart.ts";
import { summariesText } from "./summary-text.ts";
import { workings } from "./workings.ts";

export interface SessionContext {
  /** The id of the heading. */
  readonly anchor: string;
  readonly inks: Inks;
  readonly draw: Draw;
  /** Bands of each map. */
  readonly bandsMax: number;
}

/** Words, plots, maps, folds and workings of one session under all its policies. */
export async function sessionSection(session: SessionRuns, context: SessionContext): Promise<Markup> {
  const { file, recording, runs } = session;
  const { anchor, inks, bandsMax } = context;
  const calls = Math.max(...runs.map((run) => run.calls.length));
  const standings = policySummaries(runs);
  return html`<section aria-labelledby="${anchor}">
<h2 id="${anchor}">${nameOf(file)}</h2>
<p class="quiet">Recording <code>${nameOf(recording)}</code>, ${counted(calls, "model call")}</p>
<div class="overview">
${summariesText(standings, inks)}${shareChart(standings, inks)}</div>
${calls < 2 ? html`<p>Too short for plots.</p>` : await figures(runs, context)}
${contents(runs, context)}${runs.map((run, at) => policySection(run, { anchor: policyAnchor(anchor, at), inks, bandsMax }))}<h3>Workings</h3>
${workings(runs, inks)}</section>
`;
}

async function figures(runs: readonly RunResult[], { inks, draw }: SessionContext): Promise<Markup> {
  return html`${await lineFigures(runs, inks, draw)}${await residentFigures(runs, inks, draw)}`;
}

/** Ways down to the policies, where there are several. */
function contents(runs: readonly RunResult[], { anchor, inks }: SessionContext): Markup | undefined {
  if (runs.length < 2) return undefined;
  return html`<h3>Policy by policy</h3>
<ul class="legend">
${runs.map(
  ({ policy }, at) => html`<li><a href="#${policyAnchor(anchor, at)}">${policyName(policy, inks)}</a></li>
`,
)}</ul>
`;
}

function policyAnchor(anchor: string, at: number): string {
  return `${anchor}-${at + 1}`;
}
