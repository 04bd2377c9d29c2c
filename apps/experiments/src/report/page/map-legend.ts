import { html, type Markup } from "@cm/report-page";
import type { Stretch } from "../map/columns.ts";
import type { Marks } from "../map/marks.ts";
import { shades } from "../map/shades.ts";

const markMeanings = [
  { mark: "cuts", name: "cut", meaning: "from here down the request was written anew" },
  { mark: "missed", name: "missed", meaning: "needed, and out of view" },
  { mark: "recalled", name: "brought back", meaning: "an object shown again in the newest result" },
  { mark: "cold", name: "cold", meaning: "the provider's cache had nothing" },
] as const;

/** Only what occurs in the map. */
export function mapLegend(stretches: readonly Stretch[], marks: Marks): Markup {
  const used = new Set(stretches.map(({ shade }) => shade));
  const colours = shades.filter(({ shade }) => used.has(shade));
  const signs = markMeanings.filter(({ mark }) => marks[mark].length > 0);
  return html`<ul class="legend map-legend">
${colours.map(({ shade, name, meaning }) => item(`swatch ${shade}`, name, meaning))}${signs.map(({ mark, name, meaning }) => item(`sign ${mark}`, name, meaning))}</ul>
`;
}

function item(look: string, name: string, meaning: string): Markup {
  return html`<li><span class="${look}"></span><b>${name}</b> <span class="quiet">${meaning}</span></li>
`;
}
