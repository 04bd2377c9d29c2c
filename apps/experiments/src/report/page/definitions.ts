import { grouped } from "../../results/numbers.ts";
import type { RunResult } from "../../results/run-result.ts";
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
<dt>cited</dt><dd>Names that a call writes and that only the output of a tool had: how many of them were in view, and how many stood within a line of that output.</dd>
<dt>faulted</dt><dd>Billed, with one request more for each output that would have to be fetched again, since a text or a name of it was out of view.</dd>
<dt>dialogue</dt><dd>Share of what user and agent said that later requests still show.</dd>
<dt>plain</dt><dd>The session as it was recorded, in which the prompt only grows. It is what all shares compare with.</dd>
<dt>fold</dt><dd>A rewrite of the prompt from one log entry to its end: text no longer needed becomes references. What stands before stays in the cache, what stands behind is paid for anew.</dd>
<dt>price of a cut</dt><dd>The text behind the cut that was kept is written again instead of read from the cache: its characters times the difference of the two prices. Where the cache is cold anyway, a cut costs nothing.</dd>
<dt>rent</dt><dd>What text in the cache costs at each request that carries it: its characters times the price of reading. A fold ends the rent of what it saves, and is paid back after so many calls.</dd>
<dt>missed</dt><dd>A needed text that was out of view. Beside it stands the part of the log that had held it, and since when and why that part did not show it.</dd>
<dt>brought back</dt><dd>Fault service: an object that a call needs and that is out of view is shown again at the end of the newest result. Nothing above it moves.</dd>
<dt>breaks</dt><dd>Requests that rewrite text sent before, so that the cache serves only what stands in front of it.</dd>
<dt>clairvoyant</dt><dd>The same machinery, but it knows the whole session: which texts later edits replace, which names later calls write, and how much is still to come. It folds when that is cheapest for the rest of the session. The distance to it is what not knowing costs. It is the lowest figure known, not a proof that nothing cheaper exists.</dd>
<dt>clairvoyant-needs</dt><dd>The same without the names: it knows which texts later edits replace, and keeps names as the default does.</dd>
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
