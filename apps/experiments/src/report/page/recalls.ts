import type { PartLife, RunResult } from "@cm/replay";
import { html, type Markup } from "@cm/report-page";
import { counted, visibleLine } from "@cm/terminal-text";
import { grouped } from "../../numbers.ts";
import { limits } from "../limits.ts";
import { arrivalOf, entryOf } from "../map/lives.ts";
import { partName } from "./names.ts";

interface Recall {
  readonly call: number;
  readonly what: Markup;
  readonly chars: number | undefined;
  readonly reason: string | undefined;
}

/** Fault service: objects that were out of view and came back at the tail. Nothing where there were none. */
export function recalls(run: RunResult): Markup | undefined {
  const all = recallsOf(run);
  if (all.length === 0) return undefined;
  const more = all.length - limits.missesListedMax;
  return html`<details${all.length <= limits.openRowsMax ? html` open` : undefined}>
<summary>${counted(all.length, "object")} brought back <span class="quiet">fault service</span></summary>
<div class="scroll" role="region" aria-label="Brought back under ${run.policy}" tabindex="0">
<table class="recalls">
<thead><tr><th scope="col">call</th><th scope="col">what came back at the tail</th><th scope="col">characters</th><th scope="col">why</th></tr></thead>
<tbody>
${all.slice(0, limits.missesListedMax).map(
  ({
    call,
    what,
    chars,
    reason,
  }) => html`<tr><th scope="row">${grouped(call + 1)}</th><td>${what}</td><td>${grouped(chars ?? Number.NaN)}</td><td>${reason ?? "–"}</td></tr>
`,
)}</tbody>
</table>
</div>
${more > 0 ? html`<p>${counted(more, "more object")}</p>` : undefined}
</details>
`;
}

/** From the parts, which know sizes and reasons, with the names that the calls give; else from the names alone. */
function recallsOf({ calls, parts = [] }: RunResult): readonly Recall[] {
  const recalled = Map.groupBy(
    parts.filter(({ kind }) => kind === "recalled"),
    arrivalOf,
  );
  return calls.flatMap(({ call, recalled: names = [] }) => {
    const came = recalled.get(call) ?? [];
    return Array.from({ length: Math.max(names.length, came.length) }, (_, at) =>
      recallOf(call, { name: names[at], part: came[at] }),
    );
  });
}

function recallOf(
  call: number,
  { name, part }: { readonly name: string | undefined; readonly part: PartLife | undefined },
): Recall {
  const named = name === undefined ? undefined : html`<code>${visibleLine(name, limits.targetCharsMax)}</code> `;
  const entry =
    part === undefined ? undefined : html`${partName(part)} <span class="quiet">entry ${grouped(entryOf(part))}</span>`;
  return { call, what: html`${named}${entry}`, chars: part?.chars, reason: part?.forms[0]?.reason };
}
