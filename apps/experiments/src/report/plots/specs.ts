import type { TopLevelSpec } from "vega-lite";
import type { Line } from "./lines.ts";
import type { Stack } from "./stack.ts";

/** Drawn size in pixels; the page scales it. Text is large enough to be read at three quarters of it. */
export interface Size {
  readonly width: number;
  readonly height: number;
}
const lineSize: Size = { width: 490, height: 260 };
const stackSize: Size = { width: 360, height: 230 };

/** Up to here single points can be told apart, and a short session is more than a kink. */
const dottedPointsMax = 30;

/** One line per policy over the calls of a session. Specs hold numbers and our own names only, no text from outside. */
export function linesSpec(lines: readonly Line[], charsMax?: number): TopLevelSpec {
  const calls = lines.flatMap(({ points }) => points.map(({ x }) => x));
  return {
    ...frame(lineSize),
    encoding: { x: callAxis(calls, 8), y: charsAxis(charsMax) },
    layer: lines.map(({ ink, points }) => ({
      data: { values: points.map(({ x, y }) => ({ x, y })) },
      mark: {
        type: "line",
        color: ink.colour,
        strokeWidth: 1.75,
        strokeJoin: "round",
        ...(ink.dashed ? { strokeDash: [5, 3] } : {}),
        ...(points.length <= dottedPointsMax ? { point: { size: 14, color: ink.colour } } : {}),
      },
    })),
  };
}

/** The resident text, as stacked areas, with a mark on the upper edge for each fold. */
export function stackSpec(stack: Stack, charsMax: number): TopLevelSpec {
  const { classes, points, folds } = stack;
  const areas = points.flatMap(({ x, resident }) =>
    classes.map(({ key }, order) => ({ x, y: resident[key], key, order })),
  );
  const calls = points.map(({ x }) => x);
  return {
    ...frame(stackSize),
    encoding: { x: callAxis(calls, 5) },
    layer: [
      {
        data: { values: areas },
        mark: { type: "area", line: false, strokeWidth: 0 },
        encoding: {
          y: { ...charsAxis(), scale: { domain: [0, Math.max(1, charsMax)], nice: true }, stack: "zero" },
          color: {
            field: "key",
            type: "nominal",
            legend: null,
            scale: { domain: classes.map(({ key }) => key), range: classes.map(({ colour }) => colour) },
          },
          order: { field: "order", type: "quantitative" },
        },
      },
      {
        data: { values: folds.map((x) => ({ x })) },
        mark: { type: "rule", color: "var(--ink)", strokeWidth: 1, clip: false },
        encoding: { y: { value: -8 }, y2: { value: -2 } },
      },
    ],
  };
}

/** Room for labels is fixed, not measured, so that plots beside each other align to the pixel. */
function frame({ width, height }: Size) {
  const padding = { left: 46, top: 12, right: 14, bottom: 40 };
  const colours = { labelColor: "var(--muted)", titleColor: "var(--muted)" };
  return {
    width: width - padding.left - padding.right,
    height: height - padding.top - padding.bottom,
    padding,
    background: "transparent",
    autosize: { type: "none" },
    config: {
      aria: false,
      view: { stroke: null },
      axis: { ...colours, labelFontSize: 12.5, titleFontSize: 12.5, titleFontWeight: "normal" },
    },
  } as const;
}

function callAxis(calls: readonly number[], ticks: number) {
  const domain = [Math.min(...calls), Math.max(...calls)];
  const axis = {
    title: "call",
    format: "d",
    tickCount: ticks,
    tickMinStep: 1,
    grid: false,
    domainColor: "var(--line)",
    tickColor: "var(--line)",
  };
  return { field: "x", type: "quantitative", scale: { domain, nice: false }, axis } as const;
}

function charsAxis(charsMax?: number) {
  const axis = {
    title: null,
    labelExpr: "format(datum.value, '~s')",
    tickCount: 5,
    domain: false,
    ticks: false,
    gridColor: "var(--line)",
  } as const;
  const scale = charsMax === undefined ? { zero: true } : { domain: [0, charsMax], nice: false };
  return { field: "y", type: "quantitative", scale, axis } as const;
}
