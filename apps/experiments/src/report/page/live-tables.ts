import { html, type Markup } from "@cm/report-page";
import { counted } from "@cm/terminal-text";
import type { LiveRun } from "../../live/results/live-result.ts";
import { byPolicy, type LiveSummary, summarizeLiveRuns } from "../../live/results/live-summary.ts";
import { fixed, grouped, noNumber, percent } from "../../numbers.ts";
import { limits } from "../limits.ts";
import { type Inks, plainPolicy } from "../plots/palette.ts";
import { nameOf, policyName } from "./names.ts";

/** One large number per policy: how many runs were solved, and what that cost. */
export function liveHeadlines(runs: readonly LiveRun[], inks: Inks): Markup {
  const policies = byPolicy(runs);
  const plain = policies.get(plainPolicy);
  const plainBilled = plain === undefined ? undefined : summarizeLiveRuns(plain).billed;
  return html`<ul class="headlines">
${[...policies].map(([policy, group]) => headline(summarizeLiveRuns(group), { policy, inks, plainBilled }))}</ul>
`;
}

function headline(
  { runs, solved, asked, quoted, billed }: LiveSummary,
  {
    policy,
    inks,
    plainBilled,
  }: { readonly policy: string; readonly inks: Inks; readonly plainBilled: number | undefined },
): Markup {
  const share = plainBilled === undefined ? undefined : billed / plainBilled;
  return html`<li>
<p class="who">${policyName(policy, inks)}</p>
<p class="share">${grouped(solved)}<small> of ${grouped(runs)} solved</small></p>
<p class="beside">${share === undefined ? `billed ${grouped(billed)} tokens` : `billed ${percent(share)} % of the agent alone`}</p>
${
  asked === 0
    ? undefined
    : html`<p class="beside">quotes right in ${grouped(quoted)} of ${grouped(asked)}</p>
`
}</li>
`;
}

/** A row for each task and policy, repetitions added up, and at the end all tasks. */
export function liveTable(runs: readonly LiveRun[], inks: Inks): Markup {
  const tasks = [...Map.groupBy(runs, ({ task }) => task)];
  const shown = tasks.slice(0, limits.tasksListedMax);
  const more = tasks.length - shown.length;
  return html`<div class="scroll" role="region" aria-label="Results" tabindex="0">
<table class="results">
<thead><tr>
<th scope="col">policy</th><th scope="col">billed</th><th scope="col">solved</th><th scope="col">quotes</th><th scope="col">requests</th>
<th scope="col">input</th><th scope="col">cache read</th><th scope="col">cache write</th><th scope="col">output</th><th scope="col">seconds</th>
</tr></thead>
${shown.map(([task, group]) => rows(nameOf(task), group, inks))}${tasks.length > 1 ? rows(html`All ${grouped(tasks.length)} tasks`, runs, inks) : undefined}</table>
</div>
${more > 0 ? html`<p>${counted(more, "more task")}</p>` : undefined}`;
}

function rows(title: Markup, runs: readonly LiveRun[], inks: Inks): Markup {
  const standings = [...byPolicy(runs)].map(([policy, group]) => ({ policy, standing: summarizeLiveRuns(group) }));
  const dearest = Math.max(...standings.map(({ standing }) => standing.billed));
  return html`<tbody>
<tr><th colspan="10" scope="rowgroup" class="file">${title}</th></tr>
${standings.map(({ policy, standing }) => row(standing, { policy, inks, dearest }))}</tbody>
`;
}

function row(
  standing: LiveSummary,
  { policy, inks, dearest }: { readonly policy: string; readonly inks: Inks; readonly dearest: number },
): Markup {
  const { billed, solved, runs, asked, quoted, requests, input, cacheRead, cacheWrite, output, seconds } = standing;
  const bar = fixed(dearest > 0 ? billed / dearest : 0, 3);
  return html`<tr><th scope="row">${policyName(policy, inks)}</th>
<td class="billed" style="--bar:${bar};--colour:${inks(policy).colour}">${grouped(billed)}</td><td>${solved}/${runs}</td><td>${asked === 0 ? noNumber : `${quoted}/${asked}`}</td><td>${grouped(requests)}</td>
<td>${grouped(input)}</td><td>${grouped(cacheRead)}</td><td>${grouped(cacheWrite)}</td><td>${grouped(output)}</td><td>${fixed(seconds)}</td></tr>
`;
}

/** Every run that was not solved, with what its check found. */
export function unsolved(runs: readonly LiveRun[], inks: Inks): Markup {
  const failed = runs.filter(({ solved }) => !solved);
  const more = failed.length - limits.missesListedMax;
  const table = html`<div class="scroll" role="region" aria-label="Not solved" tabindex="0">
<table class="misses">
<thead><tr><th scope="col">policy</th><th scope="col">task</th><th scope="col">what the check found</th><th scope="col">run</th><th scope="col">ended by</th></tr></thead>
<tbody>
${failed.slice(0, limits.missesListedMax).map(
  ({
    policy,
    task,
    why,
    repetition,
    end,
  }) => html`<tr><th scope="row">${policyName(policy, inks)}</th><td>${nameOf(task)}</td><td>${why}</td><td>${grouped(repetition + 1)}</td><td>${end}</td></tr>
`,
)}</tbody>
</table>
</div>
${more > 0 ? html`<p>${counted(more, "more run")}</p>` : undefined}`;
  return html`<section aria-labelledby="unsolved">
<h2 id="unsolved">What was not solved</h2>
${failed.length === 0 ? html`<p>Every run was solved.</p>` : table}
</section>
`;
}
