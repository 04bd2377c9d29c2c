import type { PartLife, RunResult } from "@cm/replay";
import { html, type Markup } from "@cm/report-page";
import { counted, visibleLine } from "@cm/terminal-text";
import { grouped } from "../../numbers.ts";
import { limits } from "../limits.ts";
import { reasonOf, stateAt } from "../map/lives.ts";
import { partName } from "./names.ts";

interface Miss {
  readonly call: number;
  readonly line: string;
  readonly part: PartLife | undefined;
}

/** The texts that an edit needed and did not see: the time, their part, and the time and reason of its removal. */
export function misses(run: RunResult): Markup {
  const { totals } = run;
  if (totals.needed === 0)
    return html`<p class="no-folds">No text was needed again.</p>
`;
  const all = missesOf(run);
  const count = totals.needed - totals.neededMet;
  if (all.length === 0)
    return html`<p class="no-folds">${count === 0 ? `Nothing missed: all ${grouped(totals.needed)} needed texts were in view.` : `${counted(count, "needed text")} out of view.`}</p>
`;
  const more = all.length - limits.missesListedMax;
  return html`<details${all.length <= limits.openRowsMax ? html` open` : undefined}>
<summary>${counted(all.length, "needed text")} out of view <span class="quiet">of ${grouped(totals.needed)}</span></summary>
<div class="scroll" role="region" aria-label="Missed under ${run.policy}" tabindex="0">
<table class="misses">
<thead><tr><th scope="col">call</th><th scope="col">needed text, its longest line</th><th scope="col">had stood in</th><th scope="col">out of view since</th><th scope="col">why</th></tr></thead>
<tbody>
${all.slice(0, limits.missesListedMax).map((miss) => missRow(miss, run))}</tbody>
</table>
</div>
${more > 0 ? html`<p>${counted(more, "more missed text")}</p>` : undefined}
</details>
`;
}

function missesOf({ calls, parts = [] }: RunResult): readonly Miss[] {
  const byKey = new Map(parts.map((part) => [part.key, part]));
  return calls.flatMap(({ call, missed = [] }) =>
    missed.map(({ line, part }) => ({ call, line, part: part === undefined ? undefined : byKey.get(part) })),
  );
}

function missRow({ call, line, part }: Miss, { calls }: RunResult): Markup {
  const stand = part === undefined ? undefined : stateAt(part, call);
  const since = stand === undefined ? undefined : html`call ${grouped(stand.call + 1)}, ${visibleLine(stand.form, 20)}`;
  const why = stand === undefined ? undefined : reasonOf(stand, calls);
  return html`<tr><th scope="row">${grouped(call + 1)}</th><td><code>${visibleLine(line.trim(), limits.targetCharsMax)}</code></td><td>${part === undefined ? "unknown" : partName(part)}</td><td>${since ?? "–"}</td><td>${why ?? "–"}</td></tr>
`;
}
