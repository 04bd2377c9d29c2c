import type { RunResult } from "@cm/replay";
import { html, type Markup } from "@cm/report-page";
import { grouped } from "../../numbers.ts";
import type { Draw } from "../plots/draw.ts";
import type { Inks, ResidentClass } from "../plots/palette.ts";
import { stackSpec } from "../plots/specs.ts";
import { classesIn, largestStack, type Stack, stackOf } from "../plots/stack.ts";
import { figure } from "./figure.ts";
import { policyName } from "./names.ts";

/** The resident text per call, one plot per policy, all on one scale. */
export async function residentFigures(runs: readonly RunResult[], inks: Inks, draw: Draw): Promise<Markup> {
  const classes = classesIn(runs);
  const charsMax = largestStack(runs);
  const figures: Markup[] = [];
  let binSize = 1;
  for (const run of runs) {
    const stack = stackOf(run, classes);
    binSize = Math.max(binSize, stack.binSize);
    figures.push(
      figure({
        title: policyName(run.policy, inks),
        description: `What is resident per call under ${run.policy}. ${stackInWords(stack)}`,
        drawing: await draw(stackSpec(stack, charsMax)),
      }),
    );
  }
  return html`<h3>What is resident per call <span class="quiet">characters, without the head; marks above a plot are folds</span></h3>
<ul class="legend">
${classes.map(legendItem)}</ul>
<div class="grid">
${figures}</div>
${binSize > 1 ? html`<p class="quiet">Each point is the largest request of ${binSize} calls.</p>` : undefined}
`;
}

function legendItem({ key, colour, meaning }: ResidentClass): Markup {
  const sample = html`<span class="area-sample" style="background:${colour}"></span>`;
  return html`<li>${sample}<b>${key}</b> <span class="quiet">${meaning}</span></li>
`;
}

function stackInWords({ classes, points, folds }: Stack): string {
  const end = points.at(-1)?.resident;
  const parts = classes.map(({ key }) => `${key} ${grouped(end?.[key] ?? 0)}`).join(", ");
  return `In the end: ${parts}. ${folds.length === 0 ? "No folds." : `Folds at ${folds.length} places.`}`;
}
