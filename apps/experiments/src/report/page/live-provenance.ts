import { html, type Markup } from "@cm/report-page";
import { counted } from "@cm/terminal-text";
import type { LiveResults } from "../../live/results/live-result.ts";
import { grouped } from "../../numbers.ts";
import { limits } from "../limits.ts";
import { nameOf } from "./names.ts";
import { type Origin, originsMarkup, policiesMarkup, provenanceMarkup } from "./provenance.ts";

/** The endpoint, its model, and the files of the runs: equal for all policies, so that nothing else differs. */
export function liveProvenance(results: LiveResults, policies: Readonly<Record<string, string>>): Markup {
  const { model, protocol, endpoint, prices, network, windowTokens, runs } = results;
  const answered = [...new Set(runs.flatMap(({ answeredBy }) => answeredBy ?? []))].slice(0, limits.reasonsNamedMax);
  return html`<section aria-labelledby="provenance">
<h2 id="provenance">Where the figures come from</h2>
<dl>
<dt>model</dt><dd>${nameOf(model)}${answered.length === 0 ? undefined : html`, answered by ${answered.map((name, at) => html`${at > 0 ? ", " : ""}${nameOf(name)}`)}`}</dd>
<dt>endpoint</dt><dd>${endpoint}, protocol ${protocol}, network of the tools: ${network}</dd>
<dt>window</dt><dd>${windowTokens === undefined ? "not bounded" : counted(windowTokens, "token")}</dd>
<dt>prices</dt><dd>${prices.name}: ${prices.read} for cached input, ${prices.write} for what is written to the cache, 1 for other input</dd>
<dt>limits</dt><dd>${Object.entries(results.limits)
    .map(([name, value]) => `${name} ${grouped(value)}`)
    .join(", ")}</dd>
${policiesMarkup(runs, policies)}${originsMarkup("SHA-256", equalFiles(results))}</dl>
${provenanceMarkup(results)}</section>
`;
}

function equalFiles({ sha256: { systemPrompt, tools, tasks } }: LiveResults): readonly Origin[] {
  return [["system prompt", systemPrompt], ["tool descriptions", tools], ...Object.entries(tasks)].map(
    ([name = "", sha256 = ""]) => ({ name, sha256 }),
  );
}
