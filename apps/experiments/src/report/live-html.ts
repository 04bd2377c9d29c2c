import { html, type Markup } from "@cm/report-page";
import { counted } from "@cm/terminal-text";
import type { LiveResults } from "../live/results/live-result.ts";
import { page } from "./page/frame.ts";
import { liveProvenance } from "./page/live-provenance.ts";
import { liveHeadlines, liveTable, unsolved } from "./page/live-tables.ts";
import { inksFor } from "./plots/palette.ts";

/**
 * The live runs as one HTML page, as self-contained as that of a replay.
 * @param policies what each policy does, in a sentence, by its name
 */
export function liveReportHtml(results: LiveResults, policies: Readonly<Record<string, string>> = {}): string {
  const { runs } = results;
  const names = [...new Set(runs.map(({ policy }) => policy))];
  const inks = inksFor(names);
  const tasks = new Set(runs.map(({ task }) => task)).size;
  return page(
    "Live report",
    html`${introduction(results.model, `${counted(tasks, "task")} under ${counted(names.length, "policy", "policies")}`)}${liveHeadlines(runs, inks)}${liveTable(runs, inks)}
${unsolved(runs, inks)}${definitions()}${liveProvenance(results, policies)}`,
  );
}

/** A script in a model's place shows that all parts work together; what it is billed says nothing of a model. */
const scriptedModel = "scripted";

function introduction(model: string, title: string): Markup {
  return html`<header>
<h1>${title}</h1>
<p class="lead">${model === scriptedModel ? "A script in the place of a model" : "A model"} worked on the same tasks under each policy, with the same system prompt and the same tools. A task
counts as solved when its check says so: a test that runs, or an answer that can be compared.</p>
<p class="lead">Read <b>solved</b> first, then <b>billed</b>, which says what it took. All figures are explained
<a href="#definitions">at the end</a>, and so is <a href="#provenance">where they come from</a>.</p>
</header>
`;
}

function definitions(): Markup {
  return html`<section aria-labelledby="definitions">
<h2 id="definitions">What the figures mean</h2>
<dl>
<dt>solved</dt><dd>Runs whose check passed, of all runs of the task; each repetition is a run.</dd>
<dt>quotes</dt><dd>Runs whose quotes all occur in the version of the file that they cite, of the runs whose task asks for quotes.</dd>
<dt>billed</dt><dd>Input in tokens at the price of plain input: what the cache served and what was written to it count by the prices below. The bar compares the policies of one task.</dd>
<dt>input</dt><dd>Tokens that were neither read from the cache nor written to it, by the provider's own count, like all tokens here.</dd>
<dt>ended by</dt><dd>How a run ended: the model answered, or a bound on steps, tokens, time or the window was reached.</dd>
</dl>
</section>
`;
}
