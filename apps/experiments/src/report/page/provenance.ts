import type { RunResult } from "@cm/replay";
import { html, type Markup } from "@cm/report-page";
import { counted, visibleLine } from "@cm/terminal-text";
import { grouped } from "../../numbers.ts";
import { limits } from "../limits.ts";
import { nameOf } from "./names.ts";

/** A file that results depend on. */
export interface Origin {
  readonly name: string;
  readonly sha256: string;
}

export interface Making {
  /** The command that made the report. */
  readonly command: string;
  readonly createdAt: string;
  readonly version: string;
}

export interface ReportMeta extends Making {
  /** The model that was asked; absent for a replay, which asks none. */
  readonly model?: string;
  readonly recordings?: readonly Origin[];
  /** System prompt, tool descriptions and tasks of a live run. */
  readonly inputs?: readonly Origin[];
  /** The description of each policy in a sentence, by its name. */
  readonly policies?: Readonly<Record<string, string>>;
}

/** The origin of the figures: enough to reproduce them, and to compare their inputs. */
export function provenance(runs: readonly RunResult[], meta: ReportMeta): Markup {
  const { model, recordings = [], inputs = [], policies = {} } = meta;
  return html`<section aria-labelledby="provenance">
<h2 id="provenance">Where the figures come from</h2>
<dl>
<dt>model</dt><dd>${model ?? "none: replay of a recording"}</dd>
<dt>prices</dt><dd>${settingsOf(runs)}</dd>
${policiesMarkup(runs, policies)}${originsMarkup("recordings", recordings)}${originsMarkup("inputs", inputs)}</dl>
${provenanceMarkup(meta)}</section>
`;
}

/** How the report was made, and when. */
export function provenanceMarkup({ command, createdAt, version }: Making): Markup {
  return html`<footer>
<p>Made by this command:</p>
<pre><code>${command}</code></pre>
<p>${createdAt}, Context Manager ${version}</p>
</footer>
`;
}

function settingsOf(runs: readonly RunResult[]): string {
  const used = runs.map(({ prices: { read, write }, pricing, lifetime, headChars }) => {
    const name = pricing === undefined ? "" : `${pricing}: `;
    const cache =
      lifetime === undefined ? "" : `; the cache goes cold: ${coldWords.get(lifetime) ?? `after ${lifetime}`}`;
    return `${name}${read} for cached and ${write} for new input, with a head of ${grouped(headChars)} characters${cache}`;
  });
  return [...new Set(used)].join("; ");
}

const coldWords: ReadonlyMap<string, string> = new Map([
  ["never", "never"],
  ["recorded", "as the times in the recording say"],
]);

/** The known description of each policy, and the layout of its requests. */
export function policiesMarkup(
  runs: readonly { readonly policy: string; readonly layout: string }[],
  policies: Readonly<Record<string, string>>,
): readonly Markup[] {
  const layouts = new Map(runs.map(({ policy, layout }) => [policy, layout]));
  return [...layouts].map(([policy, layout]) => {
    const words = Object.hasOwn(policies, policy) ? html`${policies[policy]} ` : undefined;
    return html`<dt>${nameOf(policy)}</dt><dd>${words}<span class="quiet">Layout ${nameOf(layout)}.</span></dd>
`;
  });
}

/** Files by name, with their hashes. */
export function originsMarkup(title: string, origins: readonly Origin[]): Markup | undefined {
  if (origins.length === 0) return undefined;
  const more = origins.length - limits.originsListedMax;
  return html`<dt>${title}</dt><dd><ul class="origins">
${origins.slice(0, limits.originsListedMax).map(
  ({ name, sha256 }) => html`<li>${nameOf(name)} <code>${visibleLine(sha256, limits.targetCharsMax)}</code></li>
`,
)}${more > 0 ? html`<li>${counted(more, "more file")}</li>` : undefined}</ul></dd>
`;
}
