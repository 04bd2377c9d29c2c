import type { RunResult } from "@cm/replay";
import { html, type Markup } from "@cm/report-page";
import type { Inks } from "../plots/palette.ts";
import { folds } from "./folds.ts";
import { misses } from "./misses.ts";
import { policyName } from "./names.ts";
import { recalls } from "./recalls.ts";
import { viewMap } from "./view-map.ts";

export interface PolicySetting {
  /** Id of the heading. */
  readonly anchor: string;
  readonly inks: Inks;
  readonly bandsMax: number;
}

/** One policy of one session: what was in view, where cuts fell and why, what was missed, what came back. */
export function policySection(run: RunResult, { anchor, inks, bandsMax }: PolicySetting): Markup {
  return html`<section class="policy" aria-labelledby="${anchor}">
<h3 id="${anchor}">${policyName(run.policy, inks)} <span class="quiet">what was in view, call by call</span></h3>
${viewMap(run, { id: `${anchor}-map`, bandsMax })}${folds(run)}${misses(run)}${recalls(run)}</section>
`;
}
