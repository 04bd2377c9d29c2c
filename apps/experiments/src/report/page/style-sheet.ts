import { style } from "@cm/report-page";
import { mapStyle } from "./map-style.ts";

const light = `color-scheme: light;
--page: #fff; --ink: #1f2328; --muted: #59636e; --line: #dfe3e8; --shade: #f6f8fa; --link: #0550ae; --plain: #6e7781;
--policy-1: #0072b2; --policy-2: #d55e00; --policy-3: #009e73; --policy-4: #b8609a; --policy-5: #c98a00; --policy-6: #3f9fd6;
--dialogue: #8fa3b8; --args: #c8d4e0; --output: #6fb1de; --references: #f0a35e; --pool: #f5d28c; --active: #7cc7a4;
--recalled: #2f9e77; --sparse: #94c9ea; --diff: #8bcdb6; --same: #c9b6e4; --pointer: #b3a0d6; --spans: #e3d38a; --replaced: #f3c6cf; --reference: #f3b98a; --gone: #f0f1f3;
--other: #b9a7a0; --cold: #0a7ea4; --missed: #d1003f; --recall-mark: #00734f;`;

const dark = `color-scheme: dark;
--page: #15181c; --ink: #e3e7eb; --muted: #9aa4af; --line: #30363d; --shade: #1d2127; --link: #79b8ff; --plain: #98a2ad;
--policy-1: #58a9dc; --policy-2: #f08a4b; --policy-3: #3dc596; --policy-4: #dd9cc6; --policy-5: #e9b44c; --policy-6: #9bd3f5;
--dialogue: #6d8197; --args: #47566a; --output: #3f86b8; --references: #cf7f36; --pool: #a98b45; --active: #4a9c78;
--recalled: #2fa67d; --sparse: #35678a; --diff: #3a7a66; --same: #6a5b88; --pointer: #7d6b9e; --spans: #7d6f37; --replaced: #7c4a55; --reference: #9c6233; --gone: #22262c;
--other: #6d5f59; --cold: #58c5e8; --missed: #ff5c86; --recall-mark: #5fe0b0;`;

const text = `
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 72rem; padding: 2.5rem 1.25rem 3rem; background: var(--page); color: var(--ink);
  font: 1rem/1.5 system-ui, -apple-system, "Segoe UI", "Noto Sans", "DejaVu Sans", sans-serif; overflow-wrap: anywhere; }
h1 { font-size: 1.6rem; line-height: 1.25; margin: 0 0 .75rem; }
h2 { font-size: 1.25rem; line-height: 1.3; margin: 0 0 .25rem; }
section + h2 { margin-top: 2.5rem; }
h3 { font-size: 1rem; margin: 1.75rem 0 .5rem; }
h4 { font-size: .9375rem; margin: 0 0 .25rem; }
h3 .quiet, h4 .quiet { font-weight: normal; }
p { margin: 0 0 .75rem; }
.lead { max-width: 46rem; }
.quiet, figcaption, footer { color: var(--muted); font-size: .875rem; }
a { color: var(--link); text-decoration-thickness: 1px; text-underline-offset: .15em; }
code { font: .875em/1.5 ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace; }
section { margin-top: 3rem; padding-top: 1.5rem; border-top: 1px solid var(--line); }
ul { list-style: none; margin: 0; padding: 0; }
`;

const tables = `
.scroll { overflow-x: auto; }
table { border-collapse: collapse; font-size: .9375rem; font-variant-numeric: tabular-nums; overflow-wrap: normal; }
th, td { padding: .3rem .75rem; text-align: right; white-space: nowrap; font-weight: normal; }
th:first-child, td:first-child { text-align: left; padding-left: 0; }
th:last-child, td:last-child { padding-right: 0; }
thead th { color: var(--muted); font-size: .8125rem; border-bottom: 1px solid var(--line); vertical-align: bottom; }
.results { width: 100%; }
.results .file { padding-top: 1rem; font-weight: 600; white-space: normal; overflow-wrap: anywhere; }
.results .billed { font-weight: 600; background: linear-gradient(var(--colour), var(--colour)) no-repeat .45rem calc(100% - 2px) / calc((100% - .9rem) * var(--bar)) 3px; }
.results :is(th, td) { padding-inline: .45rem; }
.results :is(th, td):first-child { padding-left: 0; }
.results :is(th, td):last-child { padding-right: 0; }
.families td small { display: block; color: var(--muted); font-size: .75rem; }
.families :is(th, td) { vertical-align: top; }
.results .total { border-top: 1px solid var(--line); }
.folds :is(th, td):nth-child(2), .folds :is(th, td):nth-child(3), :is(.misses, .recalls) :is(th, td), .workings :is(th, td):nth-child(n + 6), .workings :is(th, td):nth-child(2) { text-align: left; }
:is(.folds, .misses, .recalls) td:is(:nth-child(2), :nth-child(3), :nth-child(5)) { white-space: normal; overflow-wrap: anywhere; }
:is(.misses, .recalls) td:last-child { min-width: 8rem; }
.folds td:nth-child(3) { min-width: 6rem; }
.folds td:nth-child(2), :is(.misses, .recalls) td:is(:nth-child(2), :nth-child(3)) { min-width: 12rem; }
:is(.folds, .misses, .recalls) :is(th, td) { vertical-align: top; }
.recalls :is(th, td):nth-child(3) { text-align: right; }
`;

const parts = `
.headlines { display: grid; grid-template-columns: repeat(auto-fill, minmax(15.5rem, 1fr)); gap: 1.25rem 1.5rem; margin: 1.75rem 0; }
.headlines p { margin: 0; }
.headlines .share { font-size: 2rem; line-height: 1.2; font-weight: 600; font-variant-numeric: tabular-nums; }
.headlines .beside, .headlines small { font-size: .875rem; font-weight: normal; color: var(--muted); }
.overview { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 33rem); gap: 1rem 2.5rem; margin: 1rem 0 1.5rem; align-items: start; }
.standings { font-size: .9375rem; }
.standings li { margin-bottom: .5rem; }
.share-chart { max-width: 35rem; }
main > .share-chart { margin-bottom: 2rem; }
.standings bdi { font-weight: 600; }
.share-chart text { font-size: 12.5px; fill: var(--muted); }
.share-chart .label { font-weight: 600; }
.share-chart path { fill: none; stroke-width: 1.25; }
.share-chart .grid-line { stroke: var(--line); stroke-width: 1; }
.share-chart .alone { stroke: var(--plain); stroke-dasharray: 5 3; }
.share-chart .ring { fill: var(--page); stroke-width: 1.75; }
section.policy { margin-top: 1.5rem; padding-top: .5rem; }
.origins code { overflow-wrap: anywhere; }
.legend { display: flex; flex-wrap: wrap; gap: .25rem 1.5rem; margin: .75rem 0 1rem; font-size: .9375rem; }
.line-sample { display: inline-block; width: 1.25rem; height: 0; border-top: 3px solid; margin-right: .5rem; vertical-align: .28em; }
.line-sample.dashed { border-top-style: dashed; }
.area-sample { display: inline-block; width: .8rem; height: .8rem; margin-right: .5rem; vertical-align: -.05em; }
.pair { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 26rem), 1fr)); gap: 1.5rem 2rem; }
.grid { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 20rem), 1fr)); gap: 1.5rem 2rem; }
.pair figure { display: grid; grid-row: span 3; grid-template-rows: subgrid; row-gap: 0; }
figure { margin: 0; min-width: 0; max-width: 38rem; }
svg { display: block; width: 100%; height: auto; overflow: visible; }
svg text { font-family: inherit; font-variant-numeric: tabular-nums; }
details, .no-folds { margin: 0 0 .5rem; }
details .scroll { margin: .5rem 0 1rem; padding-left: 1.1rem; }
summary { cursor: pointer; }
.no-folds { padding-left: 1.1rem; }
.warnings { margin-top: .75rem; }
.warnings li { margin-bottom: .5rem; }
dl { display: grid; grid-template-columns: max-content minmax(0, 46rem); gap: .5rem 1.5rem; margin: 1rem 0; }
dt { font-weight: 600; }
dd { margin: 0; }
footer pre { margin: 0 0 .75rem; padding: .75rem 1rem; background: var(--shade); color: var(--ink); border-radius: .375rem; white-space: pre-wrap; }
`;

const narrow = `
body { padding: 1.5rem 1rem 2rem; }
dl { grid-template-columns: minmax(0, 1fr); gap: 0; }
dd { margin-bottom: .75rem; }
.headlines { grid-template-columns: repeat(auto-fill, minmax(9rem, 1fr)); gap: 1rem; }
.headlines .share { font-size: 1.6rem; }
.band .tip { position: fixed; inset: auto 1rem 1rem; width: auto; max-width: none; }
.headlines small { display: block; }
th, td { padding-inline: .5rem; }
`;

/** Where words and chart would press each other. */
const medium = `
.overview { grid-template-columns: minmax(0, 1fr); }
`;

const print = `
:root { ${light} }
body { max-width: none; padding: 0; font-size: 10pt; }
figure, tr, li, h2, h3, dt { break-inside: avoid; }
h2, h3, dt { break-after: avoid; }
.pair { grid-template-columns: 1fr 1fr; }
.grid { grid-template-columns: 1fr 1fr 1fr; }
.scroll { overflow: visible; }
.overview { grid-template-columns: minmax(0, 1fr); }
table { font-size: 8pt; }
.headlines { grid-template-columns: repeat(4, 1fr); }
th, td { padding-inline: .35rem; }
:is(.folds, .workings) thead th { white-space: normal; }
.workings td:nth-child(n + 6) { white-space: normal; overflow-wrap: anywhere; }
:is(.area-sample, .swatch, .sign, .map) { print-color-adjust: exact; }
.map, .share-chart { break-inside: avoid; }
.tip { display: none !important; }
details::details-content { content-visibility: visible; block-size: auto; }
`;

/**
 * The page's look. Colours are variables, so that drawings follow the reader's light or dark setting; paper is light.
 * Policies have Okabe and Ito's colours, darker or lighter where the ground asks for it.
 */
export const styleSheet = style(`:root { ${light} }
@media (prefers-color-scheme: dark) { :root { ${dark} } }
${text}${tables}${parts}${mapStyle}@media (max-width: 62rem) { ${medium}}
@media (max-width: 40rem) { ${narrow}}
@media print { ${print}}`);
