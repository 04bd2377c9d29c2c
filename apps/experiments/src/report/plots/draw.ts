import type { TopLevelSpec } from "vega-lite";

/** The inside of an SVG, to be put into an element with this view box. */
export interface Drawing {
  readonly width: number;
  readonly height: number;
  readonly body: string;
}

export type Draw = (spec: TopLevelSpec) => Promise<Drawing>;

/**
 * Loads the plotting library, which takes some 40 MB, so only when a report is made. It runs without canvas and DOM,
 * and equal specs give equal bytes. Draw one plot after the other: each view is freed before the next.
 */
export async function openPlotter(): Promise<Draw> {
  const { compile } = await import("vega-lite");
  const { parse, View } = await import("vega");
  return async (spec) => {
    const view = new View(parse(compile(spec).spec), { renderer: "none" });
    try {
      return toDrawing(await view.toSVG());
    } finally {
      view.finalize();
    }
  };
}

/** Takes the element off, with its outside namespaces, and digits that no screen shows. */
function toDrawing(svg: string): Drawing {
  const [open = "", width = "", height = ""] = /^<svg [^>]*width="([\d.]+)" height="([\d.]+)"[^>]*>/.exec(svg) ?? [];
  const body = svg.slice(open.length, svg.lastIndexOf("</svg>"));
  return { width: Number(width), height: Number(height), body: body.replace(/(?<=[ML,])-?\d+\.\d+/g, oneDecimal) };
}

function oneDecimal(number: string): string {
  return `${Math.round(Number(number) * 10) / 10}`;
}
