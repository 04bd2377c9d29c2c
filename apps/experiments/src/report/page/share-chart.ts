import { html, type Markup } from "@cm/report-page";
import { visibleLine } from "@cm/terminal-text";
import { columnsOf, shortened } from "@cm/terminal-text/tables";
import { percent } from "../../numbers.ts";
import { limits } from "../limits.ts";
import type { Inks } from "../plots/palette.ts";
import { type PolicySummary, shareOf } from "../policy-summary.ts";
import { placeLabels } from "./chart-labels.ts";

/** Drawn size in pixels; the page scales it. */
const size = { width: 560, height: 270, left: 50, right: 90, top: 14, bottom: 42 };
const labelColumnPx = 7.2;
/** Bills above this share end at the right edge, with a number: they would press all others together. */
const billedMax = 1.3;

interface Point {
  readonly standing: PolicySummary;
  readonly x: number;
  readonly needed: number | undefined;
  readonly cited: number | undefined;
}

/** Billed against what was still in view, one place for each policy: the best are above and to the left. */
export function shareChart(standings: readonly PolicySummary[], inks: Inks): Markup | undefined {
  const scale = scaleOf(standings);
  const points = standings.flatMap((standing): Point[] => {
    const needed = shareOf(standing.neededMet, standing.needed);
    const cited = shareOf(standing.citedMet, standing.cited);
    if ((needed ?? cited) === undefined || !Number.isFinite(standing.billedShare)) return [];
    return [
      {
        standing,
        x: scale.x(standing.billedShare),
        needed: needed === undefined ? undefined : scale.y(needed),
        cited: cited === undefined ? undefined : scale.y(cited),
      },
    ];
  });
  if (points.length < 2) return undefined;
  const description = `Billed against needed and cited. ${standings.map(inWords).join(" ")}`;
  return html`<figure class="share-chart">
<h4>Billed against what was in view <span class="quiet">better is above and to the left</span></h4>
<svg role="img" aria-label="${description}" viewBox="0 0 ${size.width} ${size.height}" width="${size.width}" height="${size.height}">
${axes(scale)}${points.map((point) => marks(point, inks))}${labels(points, inks)}</svg>
<figcaption>● needed texts in view${points.some(({ cited }) => cited !== undefined) ? ", ○ cited names in view" : undefined}.${beyond(standings)}</figcaption>
</figure>
`;
}

interface Scale {
  readonly x: (share: number) => number;
  readonly y: (share: number) => number;
  readonly xTicks: readonly number[];
  readonly yTicks: readonly number[];
}

function scaleOf(standings: readonly PolicySummary[]): Scale {
  const right = Math.min(billedMax, Math.max(1, ...standings.map(({ billedShare }) => billedShare || 0)));
  const shares = standings.flatMap(({ neededMet, needed, citedMet, cited }) => [
    shareOf(neededMet, needed) ?? 1,
    shareOf(citedMet, cited) ?? 1,
  ]);
  const least = Math.min(...shares);
  const step = [0.01, 0.02, 0.05, 0.1, 0.25].find((size) => (1 - least) / size <= 4.5) ?? 0.25;
  const steps = Math.max(1, Math.ceil((1 - least) / step - 1e-9));
  const bottom = Math.max(0, 1 - steps * step);
  const [wide, high] = [size.width - size.left - size.right, size.height - size.top - size.bottom];
  return {
    x: (share) => round(size.left + (Math.min(share, right) / right) * wide),
    y: (share) => round(size.top + ((1 - share) / (1 - bottom)) * high),
    xTicks: [0, 0.25, 0.5, 0.75, 1, 1.25].filter((tick) => tick <= right),
    yTicks: Array.from({ length: steps + 1 }, (_, at) => 1 - at * step).filter((tick) => tick >= -1e-9),
  };
}

function axes({ x, y, xTicks, yTicks }: Scale): Markup {
  const [right, bottom] = [size.width - size.right, size.height - size.bottom];
  return html`${yTicks.map(
    (
      tick,
    ) => html`<path class="grid-line" d="M${size.left} ${y(tick)}H${right}"/><text x="${size.left - 8}" y="${y(tick) + 4}" text-anchor="end">${Math.round(tick * 100)} %</text>
`,
  )}${xTicks.map(
    (tick) => html`<text x="${x(tick)}" y="${bottom + 18}" text-anchor="middle">${Math.round(tick * 100)} %</text>
`,
  )}<path class="grid-line alone" d="M${x(1)} ${size.top}V${bottom}"/><text x="${(size.left + right) / 2}" y="${size.height - 6}" text-anchor="middle">billed, of the agent alone</text>
`;
}

function marks({ standing, x, needed, cited }: Point, inks: Inks): Markup {
  const { colour } = inks(standing.policy);
  const join =
    needed === undefined || cited === undefined
      ? undefined
      : html`<path d="M${x} ${needed}V${cited}" style="stroke:${colour}"/>`;
  const ring =
    cited === undefined
      ? undefined
      : html`<circle class="ring" cx="${x}" cy="${cited}" r="4.5" style="stroke:${colour}"/>`;
  const dot = needed === undefined ? undefined : html`<circle cx="${x}" cy="${needed}" r="4" style="fill:${colour}"/>`;
  return html`${join}${ring}${dot}
`;
}

/** Each policy's name beside its points, in the colour of its points. */
function labels(points: readonly Point[], inks: Inks): Markup {
  const drawn = points.flatMap(({ x, needed, cited }) =>
    [needed, cited].flatMap((y) => (y === undefined ? [] : [{ x, y }])),
  );
  const wanted = points.map(({ standing, x, needed, cited }) => ({
    ...{ x, y: needed ?? cited ?? 0, columns: columnsOf(labelOf(standing.policy)) },
  }));
  const places = placeLabels(wanted, drawn, { columnPx: labelColumnPx, left: size.left, right: size.width, top: -4 });
  return html`${points.map(({ standing: { policy } }, at) => {
    const { x, y, anchor } = places[at] ?? { x: 0, y: 0, anchor: "start" };
    return html`<text class="label" x="${x}" y="${y}" text-anchor="${anchor}" style="fill:color-mix(in srgb, ${inks(policy).colour} 65%, var(--ink))">${labelOf(policy)}</text>
`;
  })}`;
}

function labelOf(policy: string): string {
  return shortened(visibleLine(policy, limits.nameCharsMax), limits.policyColumnsMax + 4);
}

function beyond(standings: readonly PolicySummary[]): string {
  const far = standings.filter(({ billedShare }) => billedShare > billedMax);
  return far.length === 0
    ? ""
    : ` At the right edge, further away than drawn: ${far.map(({ policy, billedShare }) => `${labelOf(policy)} ${percent(billedShare)} %`).join(", ")}.`;
}

function inWords({ policy, billedShare, needed, neededMet, cited, citedMet }: PolicySummary): string {
  const names = cited === undefined ? "" : `, cited ${citedMet} of ${cited}`;
  return `${labelOf(policy)}: billed ${percent(billedShare)} %, needed ${neededMet} of ${needed}${names}.`;
}

const round = (value: number): number => Math.round(value * 10) / 10;
