import type { RunResult } from "@cm/replay";
import { html, type Markup } from "@cm/report-page";
import { grouped } from "../../numbers.ts";

/** The figures in plain words, with the prices that were used. */
export function definitions(runs: readonly RunResult[]): Markup {
  return html`<section aria-labelledby="definitions">
<h2 id="definitions">What the figures mean</h2>
<dl>
<dt>billed</dt><dd>What the input would have cost. Against plain input at 1, a provider with a prefix cache charges ${prices(runs)}. Shown as a share of what the plain log would have cost.</dd>
<dt>sent</dt><dd>Characters of all requests together, as a share of the plain log's.</dd>
<dt>cached</dt><dd>Share of the characters sent that the cache could serve: the longest beginning that is equal to the request before.</dd>
<dt>peak</dt><dd>The largest single request, in characters. A request includes ${heads(runs)} characters for system prompt and tools.</dd>
<dt>faulted</dt><dd>Billed, with one request more for each output that would have to be fetched again because the text of an edit was out of view: the price of what was missing.</dd>
<dt>needed</dt><dd>Edits whose old text, by its longest line, was in view when the agent made them, of those that had it in view in the plain log. Where it is out of view, an agent must spend a call to fetch it back.</dd>
<dt>missed</dt><dd>Needed texts that were out of view, and of how many different files they are: several misses often have one cause. Below a session stands the part of the log that had held each text, and since when and why that part did not show it.</dd>
<dt>union</dt><dd>Edits of whose old text every line stood somewhere in view, of those that had it so in the plain log.</dd>
<dt>cited</dt><dd>Names of 8 and more characters that a call writes and that only the output of a tool had: how many of them were in view.</dd>
<dt>in line</dt><dd>Cited names that stood in view within a line of the output that they come from; a bare list of names does not count.</dd>
<dt>copied</dt><dd>Lines of 25 and more characters that a call writes and that only the output of a tool had: how many of them were in view.</dd>
<dt>total, mean, worst</dt><dd>Total is the bill of all sessions together, which long sessions rule. In the mean each session counts alike. Worst is the session with the largest share.</dd>
<dt>cut off</dt><dd>The dearest share that a session would have had if it had ended earlier, after 25 calls or more. A fold is paid at once and earns itself in the calls after it.</dd>
<dt>intervals</dt><dd>How much a figure depends on which sessions were replayed: 1,000 times as many sessions are drawn from these, with repetition and from a fixed seed, and 90 of 100 draws lie within the interval, 5 below and 5 above it.</dd>
<dt>dialogue</dt><dd>Share of what user and agent said that later requests still show.</dd>
<dt>plain</dt><dd>The session as it was recorded, in which the prompt only grows. It is what all shares compare with.</dd>
<dt>fold</dt><dd>A rewrite of the prompt from one log entry to its end: text no longer needed becomes references. What stands before stays in the cache, what stands behind is paid for anew.</dd>
<dt>price of a cut</dt><dd>The text behind the cut that was kept is written again instead of read from the cache: its characters times the difference of the two prices. Where the cache is cold anyway, a cut costs nothing.</dd>
<dt>rent</dt><dd>What text in the cache costs at each request that carries it: its characters times the price of reading. A fold ends the rent of what it saves, and is paid back after so many calls.</dd>
<dt>brought back</dt><dd>Fault service: an object that a call needs and that is out of view is shown again at the end of the newest result. Nothing above it moves.</dd>
<dt>breaks</dt><dd>Requests that rewrite text sent before, so that the cache serves only what stands in front of it.</dd>
<dt>clairvoyant</dt><dd>The same machinery, but it knows the whole session: which texts later edits replace, which names later calls write, and how much is still to come. It folds when that is cheapest for the rest of the session. The distance to it is what not knowing costs. It is the lowest figure known, not a proof that nothing cheaper exists.</dd>
<dt>clairvoyant-needs</dt><dd>The same without the names: it knows which texts later edits replace, and keeps names as the default does.</dd>
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
