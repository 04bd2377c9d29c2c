import { html, type Markup } from "@cm/report-page";

/** Why parts leave and come back, in plain words. A reason that is not here stands for itself. */
const meanings: Readonly<Record<string, string>> = {
  rent: "the rent paid for text that is no longer needed reached the price of the cut",
  cold: "the cache had nothing of the request anyway, so the cut was free",
  window: "the request had to fit into a window",
  compaction: "everything was rewritten",
  trigger: "the request grew beyond the size at which the vendor clears",
  "high mark": "the request grew beyond the upper watermark",
  known: "the policy knew that the text would not be needed again",
  age: "the output was older than so many calls",
};

/** Explanations of the reasons on the page; empty if all are self-explanatory. */
export function reasonsMeant(reasons: Iterable<string>): Markup | undefined {
  const known = [...new Set(reasons)].filter((reason) => Object.hasOwn(meanings, reason));
  if (known.length === 0) return undefined;
  return html`${known.map((reason) => html` <b>${reason}</b>: ${meanings[reason]}.`)}`;
}
