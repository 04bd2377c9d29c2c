import type { RunResult } from "@cm/replay";
import { html, type Markup } from "@cm/report-page";
import { counted } from "@cm/terminal-text";
import { limits } from "./limits.ts";
import { bandsMaxFor } from "./map/bands.ts";
import { definitions } from "./page/definitions.ts";
import { familySection } from "./page/families.ts";
import { page } from "./page/frame.ts";
import { headlines } from "./page/headlines.ts";
import { sessionAnchor } from "./page/names.ts";
import { provenance, type ReportMeta } from "./page/provenance.ts";
import { sessionSection } from "./page/session-section.ts";
import { shareChart } from "./page/share-chart.ts";
import { summaryTable } from "./page/summary.ts";
import { warnings } from "./page/warnings.ts";
import { openPlotter } from "./plots/draw.ts";
import { type Inks, inksFor } from "./plots/palette.ts";
import { policySummaries } from "./policy-summary.ts";
import { bySession, policiesOf, type SessionRuns } from "./result-rows.ts";

export type { Origin, ReportMeta } from "./page/provenance.ts";

/**
 * The runs as one HTML page that opens from disk: no script, nothing loaded, drawings inline. The same runs and meta
 * give the same bytes. Text from outside is escaped, see `html` in page/markup.ts.
 */
export async function reportHtml(runs: readonly RunResult[], meta: ReportMeta): Promise<string> {
  const inks = inksFor(policiesOf(runs));
  const sessions = bySession(runs);
  const drawn = sessions.slice(0, limits.filesDrawnMax);
  const left = sessions.length - drawn.length;
  return page(
    "Replay report",
    html`${introduction(runs, sessions.length)}${headlines(runs, inks)}${sessions.length > 1 ? together(runs, sessions, inks) : undefined}${summaryTable(sessions, inks)}
${warnings(runs)}${await sections(drawn, inks)}${left > 0 ? html`<p>${counted(left, "more session")} without plots; replay fewer at once to see them.</p>` : undefined}
${definitions(runs)}${provenance(runs, meta)}`,
  );
}

/** What several sessions have together, above the table of each. */
function together(runs: readonly RunResult[], sessions: readonly SessionRuns[], inks: Inks): Markup {
  return html`${shareChart(policySummaries(runs), inks)}${familySection(runs, sessions, inks)}<h2 id="sessions">Session by session</h2>
`;
}

async function sections(sessions: readonly SessionRuns[], inks: Inks): Promise<readonly Markup[]> {
  const draw = await openPlotter();
  const maps = sessions.reduce((sum, { runs }) => sum + runs.length, 0);
  const bandsMax = bandsMaxFor(maps);
  const drawn: Markup[] = [];
  for (const [at, session] of sessions.entries()) {
    drawn.push(await sessionSection(session, { anchor: sessionAnchor(at), inks, draw, bandsMax }));
  }
  return drawn;
}

function introduction(runs: readonly RunResult[], sessions: number): Markup {
  const policies = policiesOf(runs).length;
  return html`<header>
<h1>${counted(sessions, "session")} under ${counted(policies, "policy", "policies")}</h1>
<p class="lead">Recorded coding sessions were replayed call by call, and under each policy every request was put together
anew. This page shows what the input of these requests would have been billed, what was in view at each call, and whether
the text that later edits needed was still there.</p>
<p class="lead">Read <b>billed</b> first: plain, the session as it was recorded, is 100 %, and less is better. Then read
<b>needed</b>, which says what the saving cost. All figures are explained <a href="#definitions">at the end</a>, and so is
<a href="#provenance">where they come from</a>.</p>
</header>
`;
}
