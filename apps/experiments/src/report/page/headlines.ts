import type { RunResult } from "@cm/replay";
import { html, type Markup } from "@cm/report-page";
import { fixed, grouped, percent } from "../../numbers.ts";
import { type Inks, plainPolicy } from "../plots/palette.ts";
import { clairvoyantOf, roleOf } from "../policy-roles.ts";
import { type PolicySummary, policySummaries } from "../policy-summary.ts";
import { nameOf, policyName } from "./names.ts";

/** One large number per policy, with what it means: all sessions together. */
export function headlines(runs: readonly RunResult[], inks: Inks): Markup {
  const standings = policySummaries(runs);
  const future = clairvoyantOf(standings);
  return html`<ul class="headlines">
${standings.map(
  (standing) => html`<li>
<p class="who">${policyName(standing.policy, inks)}</p>
<p class="share">${percent(standing.billedShare)}<small> % billed</small></p>
<p class="beside">${needed(standing)}</p>
${cited(standing)}${distance(standing, future)}</li>
`,
)}</ul>
`;
}

function needed({ policy, needed, neededMet }: PolicySummary): string {
  if (needed === 0) return "nothing needed";
  return policy === plainPolicy && neededMet === needed
    ? `the agent alone, all ${grouped(needed)} needed texts in view`
    : `${grouped(neededMet)} of ${grouped(needed)} needed texts in view`;
}

function cited({ cited, citedMet }: PolicySummary): Markup | undefined {
  if (cited === undefined || citedMet === undefined || cited === 0) return undefined;
  return html`<p class="beside">${grouped(citedMet)} of ${grouped(cited)} cited names in view</p>
`;
}

function distance({ policy, billedShare }: PolicySummary, future: PolicySummary | undefined): Markup | undefined {
  if (future === undefined || roleOf(policy) === "future" || roleOf(policy) === "alone") return undefined;
  const points = (billedShare - future.billedShare) * 100;
  return html`<p class="beside">${fixed(Math.abs(points))} points ${points < 0 ? "below" : "above"} ${nameOf(future.policy)}</p>
`;
}
