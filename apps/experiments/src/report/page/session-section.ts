import type { RunResult } from "../../replay/run-result.ts";
import type { Draw } from "../plots/draw.ts";
import type { Inks } from "../plots/palette.ts";
import type { SessionRuns } from "../result-rows.ts";
import { folds } from "./folds.ts";
import { lineFigures } from "./line-figures.ts";
import { html, type Markup } from "./markup.ts";
import { counted, nameOf } from "./names.ts";
import { residentFigures } from "./resident-figures.ts";
import { workings } from "./workings.ts";

export interface SessionContext {
  /** The id of the heading. */
  readonly anchor: string;
  readonly inks: Inks;
  readonly draw: Draw;
}

/** Plots, folds and workings of one session under all its policies. */
export async function sessionSection(session: SessionRuns, context: SessionContext): Promise<Markup> {
  const { file, recording, runs } = session;
  const { anchor, inks } = context;
  const calls = Math.max(...runs.map((run) => run.calls.length));
  return html`<section aria-labelledby="${anchor}">
<h2 id="${anchor}">${nameOf(file)}</h2>
<p class="quiet">Recording <code>${nameOf(recording)}</code>, ${counted(calls, "model call")}</p>
${calls < 2 ? html`<p>Too short for plots.</p>` : await figures(runs, context)}
<h3>Folds</h3>
${runs.map((run) => folds(run, inks))}<h3>Workings</h3>
${workings(runs, inks)}</section>
`;
}

async function figures(runs: readonly RunResult[], { inks, draw }: SessionContext): Promise<Markup> {
  return html`${await lineFigures(runs, inks, draw)}${await residentFigures(runs, inks, draw)}`;
}
