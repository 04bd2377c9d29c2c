import type { RunResult } from "@cm/replay";
import { html, type Markup } from "@cm/report-page";
import { grouped } from "../../numbers.ts";
import { type CroppedLines, croppedAbove } from "../plots/crop.ts";
import type { Draw } from "../plots/draw.ts";
import { billedLines, contextLines, type Line } from "../plots/lines.ts";
import { type Inks, plainPolicy } from "../plots/palette.ts";
import { linesSpec } from "../plots/specs.ts";
import { figure } from "./figure.ts";
import { policyName } from "./names.ts";

/** The plot of bills ends at this many times the bill of plain. */
const plainTimesMax = 2.5;

/** All policies of one session in two plots: how large the requests are, and what they are billed. */
export async function lineFigures(runs: readonly RunResult[], inks: Inks, draw: Draw): Promise<Markup> {
  return html`${policyLegend(runs, inks)}<div class="pair">
${await contextFigure(runs, inks, draw)}${await billedFigure(runs, inks, draw)}</div>
`;
}

async function contextFigure(runs: readonly RunResult[], inks: Inks, draw: Draw): Promise<Markup> {
  const { lines, binSize } = contextLines(runs, inks);
  return figure({
    title: html`Context size per call <span class="quiet">characters</span>`,
    description: `Context size per call in characters. ${lines.map(sizeInWords).join(" ")}`,
    drawing: await draw(linesSpec(lines)),
    caption: binSize > 1 ? `Each point is the largest of ${binSize} calls.` : undefined,
  });
}

async function billedFigure(runs: readonly RunResult[], inks: Inks, draw: Draw): Promise<Markup> {
  const billed = billedLines(runs, inks);
  const shown = croppedAbove(billed, plainPolicy, plainTimesMax);
  return figure({
    title: html`Billed input, added up <span class="quiet">characters at the price of plain input</span>`,
    description: `Billed input, added up from the first call on. ${billed.lines.map(billInWords).join(" ")}`,
    drawing: await draw(linesSpec(shown.lines, shown.yMax)),
    caption: billCaption(shown),
  });
}

/** In the order of the table. Plain is drawn even where it was not replayed. */
function policyLegend(runs: readonly RunResult[], inks: Inks): Markup {
  const policies = [...new Set([...runs.map(({ policy }) => policy), plainPolicy])];
  return html`<ul class="legend">
${policies.map(
  (policy) => html`<li>${policyName(policy, inks)}</li>
`,
)}</ul>
`;
}

function billCaption({ binSize, leaving }: CroppedLines): string | undefined {
  const sentences = leaving.map(
    ({ policy, call, end }) => `${policy} leaves the plot at call ${grouped(call)} and ends at ${grouped(end)}.`,
  );
  if (binSize > 1) sentences.push(`Each point is the sum after ${binSize} more calls.`);
  return sentences.length === 0 ? undefined : sentences.join(" ");
}

function sizeInWords({ policy, points }: Line): string {
  const largest = Math.max(...points.map(({ y }) => y));
  return `${policy}: largest ${grouped(largest)}, last ${grouped(points.at(-1)?.y ?? 0)}.`;
}

function billInWords({ policy, points }: Line): string {
  return `${policy}: ${grouped(points.at(-1)?.y ?? 0)} in the end.`;
}
