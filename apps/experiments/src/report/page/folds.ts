import type { RunResult } from "../../replay/run-result.ts";
import { limits } from "../limits.ts";
import { fixed, grouped } from "../numbers.ts";
import type { Inks } from "../plots/palette.ts";
import { html, type Markup } from "./markup.ts";
import { counted, policyName } from "./names.ts";

interface Fold {
  /** From 1. */
  readonly call: number;
  readonly cut: number;
  readonly reason: string;
  readonly charsBefore: number | undefined;
  readonly charsAfter: number;
}

/** Where and why a policy rewrote what was sent: reasons counted, and the first folds one by one. */
export function folds(run: RunResult, inks: Inks): Markup {
  const all = foldsOf(run);
  if (all.length === 0)
    return html`<p class="no-folds">${policyName(run.policy, inks)}: no folds${breaksOf(run)}</p>
`;
  const more = all.length - limits.foldsListedMax;
  return html`<details>
<summary>${policyName(run.policy, inks)}: ${counted(all.length, "fold")} <span class="quiet">${reasonsOf(all)}</span></summary>
<div class="scroll" role="region" aria-label="Folds under ${run.policy}" tabindex="0">
<table class="folds">
<thead><tr><th scope="col">call</th><th scope="col">from log entry</th><th scope="col">request before</th><th scope="col">after</th><th scope="col">reason</th></tr></thead>
<tbody>
${all.slice(0, limits.foldsListedMax).map(foldRow)}</tbody>
</table>
</div>
${more > 0 ? html`<p>${counted(more, "more fold")}</p>` : undefined}
</details>
`;
}

/** A layout that is written anew each time decides no folds and yet keeps no beginning. */
function breaksOf({ totals }: RunResult): Markup | undefined {
  if (totals.breaksPer100 === 0) return undefined;
  return html`, <span class="quiet">but ${fixed(totals.breaksPer100)} of 100 requests do not begin with the whole request before</span>`;
}

function foldRow({ call, cut, reason, charsBefore, charsAfter }: Fold): Markup {
  return html`<tr><th scope="row">${grouped(call)}</th><td>${grouped(cut)}</td><td>${grouped(charsBefore ?? Number.NaN)}</td><td>${grouped(charsAfter)}</td><td>${reason}</td></tr>
`;
}

function foldsOf(run: RunResult): readonly Fold[] {
  return run.calls.flatMap(({ call, fold, sentChars }, at) =>
    fold === undefined
      ? []
      : [{ ...fold, call: call + 1, charsBefore: run.calls[at - 1]?.sentChars, charsAfter: sentChars }],
  );
}

/** `(rent 20, window 3)`, the most frequent first. */
function reasonsOf(all: readonly Fold[]): string {
  const groups = [...Map.groupBy(all, ({ reason }) => reason)].map(([reason, group]) => ({
    reason,
    count: group.length,
  }));
  const ordered = groups.toSorted((a, b) => b.count - a.count);
  const named = ordered.slice(0, limits.reasonsNamedMax).map(({ reason, count }) => `${reason} ${count}`);
  const more = ordered.length - named.length;
  return `(${[...named, ...(more > 0 ? [counted(more, "more reason")] : [])].join(", ")})`;
}
