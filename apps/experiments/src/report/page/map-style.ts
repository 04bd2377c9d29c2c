/** The look of maps: shades, marks, and what a band tells when it is pointed at or chosen. */
export const mapStyle = `
.map { position: relative; margin: .5rem 3rem 0 0; border-bottom: 1px solid var(--line); isolation: isolate; }
.map svg { position: absolute; inset: 0; width: 100%; height: 100%; overflow: visible; }
.map svg path { fill: none; vector-effect: non-scaling-stroke; }
${shadeRules()}
.map .cold { stroke: var(--cold); stroke-width: 1; stroke-dasharray: 2 3; }
.map .cut { stroke: var(--ink); stroke-width: 1.5; }
.map .cut.many { stroke-opacity: .3; stroke-width: 1; }
.map .missed { stroke: var(--missed); stroke-width: 9; stroke-linecap: round; }
.map .recall { stroke: var(--recall-mark); stroke-width: 7; stroke-linecap: round; }
.map .prompt { position: absolute; left: 100%; padding-left: .4rem; white-space: nowrap; line-height: 1; font-size: .75rem; color: var(--muted); border-top: 1px solid var(--muted); pointer-events: none; }
.band { position: absolute; left: var(--start); right: 0; cursor: pointer; }
.band input { position: absolute; inset: 0; width: 100%; height: 100%; margin: 0; opacity: 0; cursor: inherit; }
.band:hover, .band:focus-within { outline: 2px solid var(--ink); outline-offset: 0; z-index: 2; }
.map:hover .band:focus-within:not(:hover) { outline-style: dotted; }
.tip { display: none; position: absolute; z-index: 3; width: max-content; max-width: min(26rem, 80vw); padding: .5rem .75rem; pointer-events: none;
  background: var(--page); color: var(--ink); border: 1px solid var(--muted); border-radius: .375rem; font-size: .8125rem; line-height: 1.4; box-shadow: 0 2px 10px #0003; }
.after .tip { left: 0; top: calc(100% + 4px); }
.before .tip { right: calc(100% + 6px); top: 0; }
.low .tip { top: auto; bottom: 0; }
.after.low .tip { bottom: calc(100% + 4px); }
.band:hover .tip, .band:focus-within .tip { display: block; }
.map:hover .band:focus-within:not(:hover) .tip { display: none; }
.stand { display: block; }
.map-axis { position: relative; height: 1.5rem; margin-right: 3rem; font-size: .78rem; color: var(--muted); font-variant-numeric: tabular-nums; }
.map-axis span { position: absolute; white-space: nowrap; top: .2rem; transform: translateX(-50%); }
.map-axis .axis-name { left: 100%; transform: none; padding-left: .4rem; }
.map-legend { gap: .15rem 1.25rem; font-size: .875rem; }
.swatch, .sign { display: inline-block; width: .8rem; height: .8rem; margin-right: .4rem; vertical-align: -.05em; }
.sign.cuts { width: 0; height: 1rem; border-left: 2px solid var(--ink); margin-inline: .4rem .6rem; vertical-align: -.15em; }
.sign.cold { width: 0; height: 1rem; border-left: 2px dotted var(--cold); margin-inline: .4rem .6rem; vertical-align: -.15em; }
.sign.missed, .sign.recalled { border-radius: 50%; width: .6rem; height: .6rem; background: var(--missed); margin-inline: .1rem .5rem; }
.sign.recalled { background: var(--recall-mark); }
`;

function shadeRules(): string {
  const shades = "dialogue args output recalled sparse diff same spans replaced reference gone other".split(" ");
  return shades
    .map((shade) => `.map svg .${shade} { fill: var(--${shade}); } .swatch.${shade} { background: var(--${shade}); }`)
    .join("\n");
}
