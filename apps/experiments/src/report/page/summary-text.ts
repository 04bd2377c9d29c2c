import { html, type Markup } from "@cm/report-page";
import { fixed, grouped, percent } from "../../numbers.ts";
import { type Inks, plainPolicy } from "../plots/palette.ts";
import { cheapestOpponent, clairvoyantOf, knowledgeOf, roleOf } from "../policy-roles.ts";
import type { PolicySummary } from "../policy-summary.ts";
import { nameOf, policyName } from "./names.ts";

/** A number and its sign stay in one line. */
const noBreak = "\u00a0";

/** Each policy in one or two sentences, with its distance to the one that knew the future and to the opponents. */
export function summariesText(standings: readonly PolicySummary[], inks: Inks): Markup {
  return html`<ul class="standings">
${standings.map(
  (
    standing,
  ) => html`<li>${policyName(standing.policy, inks)} ${sentence(standing)}${comparisons(standing, standings)}</li>
`,
)}</ul>
`;
}

function sentence(standing: PolicySummary): Markup {
  const { policy, billedShare } = standing;
  if (policy === plainPolicy) return html`is the agent alone, <b>100 %</b>: what all others are compared with.`;
  const more = roleOf(policy) === "ours" ? details(standing) : "";
  return html`billed <b>${percent(billedShare)}${noBreak}%</b> of the agent alone; ${viewWords(standing)}.${more}`;
}

function viewWords({ needed, neededMet, cited = 0, citedMet = 0 }: PolicySummary): Markup {
  const texts =
    needed === 0
      ? "no text was needed again"
      : html`<b>${grouped(neededMet)} of ${grouped(needed)}</b> needed texts in view`;
  return cited === 0 ? html`${texts}` : html`${texts}, ${grouped(citedMet)} of ${grouped(cited)} cited names`;
}

/** For our own policies, what the first sentence leaves out. */
function details(standing: PolicySummary): string {
  const { cited = 0, citedMet = 0, citedInLine, faultedShare, dialogueShare, peakShare, breaksPer100 } = standing;
  const sentences = [
    ...(citedInLine !== undefined && cited > 0 && citedInLine < citedMet
      ? [`Of the names ${grouped(citedInLine)} stood within their line.`]
      : []),
    ...(faultedShare === undefined ? [] : [`With fetching back what was missed: ${percent(faultedShare)}${noBreak}%.`]),
    `Its largest request is ${percent(peakShare)}${noBreak}% of the agent's; ${fixed(breaksPer100)} of 100 requests rewrote sent text.`,
    ...(dialogueShare === undefined || dialogueShare >= 1
      ? []
      : [`Of the dialogue ${percent(dialogueShare)}${noBreak}% is still shown.`]),
  ];
  return ` ${sentences.join(" ")}`;
}

function comparisons(standing: PolicySummary, all: readonly PolicySummary[]): Markup | undefined {
  if (roleOf(standing.policy) !== "ours") return undefined;
  const future = clairvoyantOf(all);
  const opponent = cheapestOpponent(all);
  return html`${future === undefined ? undefined : html` ${compared(standing, future)}, ${knowledgeOf(future.policy)}.`}${
    opponent === undefined
      ? undefined
      : html` ${compared(standing, opponent)}, the cheapest opponent${needOf(opponent)}.`
  }`;
}

function compared(standing: PolicySummary, other: PolicySummary): Markup {
  const points = (standing.billedShare - other.billedShare) * 100;
  const words =
    Math.abs(points) < 0.05 ? "As much as" : `${fixed(Math.abs(points))} points ${points > 0 ? "above" : "below"}`;
  return html`${words} ${nameOf(other.policy)}`;
}

function needOf({ needed, neededMet }: PolicySummary): string {
  return needed === 0 ? "" : ` (${grouped(neededMet)} of ${grouped(needed)} needed texts in view)`;
}
