import type { RunResult } from "@cm/replay";
import { html, type Markup } from "@cm/report-page";
import { counted } from "@cm/terminal-text";
import { limits } from "../limits.ts";
import { nameOf } from "./names.ts";

/** Warnings of all runs. One that every policy met is said once. */
export function warnings(runs: readonly RunResult[]): Markup | undefined {
  const all = runs.flatMap(({ file, policy, warnings }) => warnings.map((text) => ({ file, policy, text })));
  if (all.length === 0) return undefined;
  const groups = [...Map.groupBy(all, ({ file, text }) => JSON.stringify([file, text])).values()];
  const listed = groups.slice(0, limits.warningsListedMax).flatMap(([first, ...others]) => {
    if (first === undefined) return [];
    const policies = [first, ...others].map(({ policy }) => policy);
    return [
      html`<li><strong>${nameOf(first.file)}</strong> <span class="quiet">${policies.join(", ")}</span><br>${first.text}</li>
`,
    ];
  });
  const more = groups.length - listed.length;
  return html`<section aria-labelledby="warnings">
<h2 id="warnings">Warnings</h2>
<ul class="warnings">
${listed}${more > 0 ? html`<li>${counted(more, "more warning")}</li>` : undefined}</ul>
</section>
`;
}
