import type { RunResult } from "../../replay/run-result.ts";
import { grouped } from "../numbers.ts";
import { html, type Markup } from "./markup.ts";

/** The figures in plain words, with the prices that were used. */
export function definitions(runs: readonly RunResult[]): Markup {
  return html`<section aria-labelledby="definitions">
<h2 id="definitions">What the figures mean</h2>
<dl>
<dt>billed</dt><dd>What the input would have cost. Against plain input at 1, a provider with a prefix cache charges ${prices(runs)}. Shown as a share of what the plain log would have cost.</dd>
<dt>sent</dt><dd>Characters of all requests together, as a share of the plain log's.</dd>
<dt>cached</dt><dd>Share of the characters sent that the cache could serve: the longest beginning that is equal to the request before.</dd>
<dt>peak</dt><dd>The largest single request, in characters. A request includes ${heads(runs)} characters for system prompt and tools.</dd>
<dt>needed</dt><dd>Edits whose old text was in view when the agent made them, of those that had it in view in the plain log. Where it is out of view, an agent must spend a call to fetch it back.</dd>
<dt>plain</dt><dd>The session as it was recorded, in which the prompt only grows. It is what all shares compare with.</dd>
<dt>fold</dt><dd>A rewrite of the prompt from one log entry to its end: text no longer needed becomes references. What stands before stays in the cache, what stands behind is paid for anew.</dd>
<dt>seconds</dt><dd>Time of the whole replay on this machine, database included.</dd>
</dl>
</section>
`;
}

function prices(runs: readonly RunResult[]): string {
  const used = runs.map(
    ({ prices: { read, write } }) =>
      `${read} for each character it has seen before at the same place and ${write} for each new one`,
  );
  return [...new Set(used)].join(", or ");
}

function heads(runs: readonly RunResult[]): string {
  return [...new Set(runs.map(({ headChars }) => grouped(headChars)))].join(" or ");
}
