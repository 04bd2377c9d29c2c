import type { RunResult } from "@cm/replay";
import { drawn, html, type Markup } from "@cm/report-page";
import { counted } from "@cm/terminal-text";
import { grouped } from "../../numbers.ts";
import { limits } from "../limits.ts";
import { type Band, bandsOf } from "../map/bands.ts";
import { type Columns, columnsFor, type Stretch, stretchesOf } from "../map/columns.ts";
import { arrivalOf } from "../map/lives.ts";
import { type Marks, marksOf } from "../map/marks.ts";
import { ticksOf } from "../map/ticks.ts";
import { bandChoice } from "./band-choice.ts";
import { mapLegend } from "./map-legend.ts";

export interface MapSetting {
  /** Id of the map, for its group of choices. */
  readonly id: string;
  readonly bandsMax: number;
}

/** Heights of a map on the page. */
const bandRem = 0.45;
const mapRemMin = 9;
const mapRemMax = 34;
/** More cuts than this are drawn fainter, so that what they cut stays to be seen. */
const crowded = 60;

/** The text in view over time: calls from left to right, parts of the log from top to bottom, coloured by form. */
export function viewMap(run: RunResult, { id, bandsMax }: MapSetting): Markup | undefined {
  const parts = (run.parts ?? []).filter((part) => Number.isFinite(arrivalOf(part)));
  if (parts.length === 0) return undefined;
  if (parts.every(({ forms }) => forms.length === 1 && forms[0]?.form === "full"))
    return html`<p class="no-folds">Every part of the log stood in every request as it arrived, in full.</p>
`;
  const bands = bandsOf(parts, bandsMax);
  const columns = columnsFor(run.calls.length, limits.mapColumnsMax);
  const lives = bands.map((band) => stretchesOf(band, columns));
  const marks = marksOf(run, bands, limits.mapMarksMax);
  const height = Math.min(mapRemMax, Math.max(mapRemMin, bands.length * bandRem));
  return html`${mapLegend(lives.flat(), marks)}<div class="map" role="radiogroup" aria-label="What was in view under ${run.policy}, part by part" style="height:${height}rem">
<svg aria-hidden="true" viewBox="0 0 ${columns.count} 1000" preserveAspectRatio="none">${drawn(picture(bands, lives, { columns, marks }))}</svg>
${prompts(bands)}${bands.map((band) => bandChoice(band, { run, name: id, columns }))}</div>
${callAxis(run.calls.length, columns)}<p class="quiet">${sampling(bands, columns)}${beside(run)}</p>
`;
}

/** One path for each shade, so that thousands of stretches stay small. */
function picture(
  bands: readonly Band[],
  lives: readonly (readonly Stretch[])[],
  { columns, marks }: { readonly columns: Columns; readonly marks: Marks },
): string {
  const paths = new Map<string, string[]>();
  for (const [at, { top, height }] of bands.entries()) {
    for (const { shade, from, to } of lives[at] ?? []) {
      const path = paths.get(shade) ?? [];
      path.push(`M${from} ${down(top)}h${to - from}v${down(height)}h${from - to}z`);
      paths.set(shade, path);
    }
  }
  const across = (call: number) => round((call + 0.5) / columns.calls);
  const dots = (marked: Marks["missed"]) => marked.map(({ call, y }) => `M${across(call)} ${down(y)}h0`);
  const lines = [
    ["cold", marks.cold.map((call) => `M${round(call / columns.calls)} 0V1000`)],
    [
      marks.cuts.length > crowded ? "cut many" : "cut",
      marks.cuts.map(({ call, y, yEnd }) => `M${round(call / columns.calls)} ${down(y)}V${down(yEnd)}`),
    ],
    ["recall", dots(marks.recalled)],
    ["missed", dots(marks.missed)],
  ] as const;
  return [...paths, ...lines.filter(([, path]) => path.length > 0)]
    .map(([name, path]) => `<path class="${name}" d="${path.join("")}"/>`)
    .join("");
}

/** The user's prompts, as landmarks. */
function prompts(bands: readonly Band[]): Markup {
  const all = bands.filter(({ parts }) => parts.some(({ kind }) => kind === "user"));
  const apart = 1 / limits.mapPromptsMax;
  let next = 0;
  const written = all.filter(({ top }) => {
    if (top < next) return false;
    next = top + apart;
    return true;
  });
  return html`${written.map(
    ({ top }) => html`<span class="prompt" aria-hidden="true" style="top:${share(top)}">user</span>
`,
  )}`;
}

function callAxis(calls: number, columns: Columns): Markup {
  const width = columns.count * columns.calls;
  return html`<div class="map-axis" aria-hidden="true">
${ticksOf(calls).map(
  (call) => html`<span style="left:${share((call - 0.5) / width)}">${grouped(call)}</span>
`,
)}<span class="axis-name">call</span></div>
`;
}

/** Under layouts with a place of its own for objects a reference does not say that the text is out of view. */
function beside({ calls, parts = [] }: RunResult): string {
  const most = calls.reduce((max, { resident }) => Math.max(max, resident.active), 0);
  if (most === 0 || parts.some(({ kind }) => kind === "recalled")) return "";
  return ` Beside these parts the requests show texts of objects on their own, up to ${grouped(most)} characters, which are not drawn here.`;
}

function sampling(bands: readonly Band[], { calls }: Columns): string {
  const parts = bands.reduce((sum, band) => sum + band.parts.length, 0);
  const shared = bands.filter((band) => band.parts.length > 1);
  const sentences = [
    `From left to right the calls, from top to bottom the log with its newest part below: ${counted(parts, "part")}, each as high as it is long.`,
    ...(shared.length > 0
      ? [`Thin neighbours share one of ${grouped(bands.length)} bands, in the colour of most of their characters.`]
      : []),
    ...(calls > 1 ? [`Each column is the last of ${calls} calls.`] : []),
    "Point at a band, or choose one with Tab and the arrow keys, to read its life.",
  ];
  return sentences.join(" ");
}

const down = (value: number): number => round(value * 1000);
const round = (value: number): number => Math.round(value * 100) / 100;
const share = (value: number): string => `${round(value * 100)}%`;
