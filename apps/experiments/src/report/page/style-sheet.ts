import { Markup } from "./markup.ts";

const light = `color-scheme: light;
--page: #fff; --ink: #1f2328; --muted: #59636e; --line: #dfe3e8; --shade: #f6f8fa; --link: #0550ae; --plain: #6e7781;
--policy-1: #0072b2; --policy-2: #d55e00; --policy-3: #009e73; --policy-4: #b8609a; --policy-5: #c98a00; --policy-6: #3f9fd6;
--dialogue: #8fa3b8; --args: #c8d4e0; --output: #6fb1de; --references: #f0a35e; --pool: #f5d28c; --active: #7cc7a4;`;

const dark = `color-scheme: dark;
--page: #15181c; --ink: #e3e7eb; --muted: #9aa4af; --line: #30363d; --shade: #1d2127; --link: #79b8ff; --plain: #98a2ad;
--policy-1: #58a9dc; --policy-2: #f08a4b; --policy-3: #3dc596; --policy-4: #dd9cc6; --policy-5: #e9b44c; --policy-6: #9bd3f5;
--dialogue: #6d8197; --args: #47566a; --output: #3f86b8; --references: #cf7f36; --pool: #a98b45; --active: #4a9c78;`;

const text = `
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 72rem; padding: 2.5rem 1.25rem 3rem; background: var(--page); color: var(--ink);
  font: 1rem/1.5 system-ui, -apple-system, "Segoe UI", "Noto Sans", "DejaVu Sans", sans-serif; overflow-wrap: anywhere; }
h1 { font-size: 1.6rem; line-height: 1.25; margin: 0 0 .75rem; }
h2 { font-size: 1.25rem; line-height: 1.3; margin: 0 0 .25rem; }
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
.results .billed { font-weight: 600; }
.results .total { border-top: 1px solid var(--line); }
.folds td:last-child, .folds th:last-child, .workings :is(th, td):nth-child(n + 6), .workings :is(th, td):nth-child(2) { text-align: left; }
.folds td:last-child { white-space: normal; min-width: 12rem; }
`;

const parts = `
.headlines { display: flex; flex-wrap: wrap; gap: 1rem 3rem; margin: 1.75rem 0; }
.headlines p { margin: 0; }
.headlines .share { font-size: 2rem; line-height: 1.2; font-weight: 600; font-variant-numeric: tabular-nums; }
.headlines .beside, .headlines small { font-size: .875rem; font-weight: normal; color: var(--muted); }
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
.headlines { justify-content: space-between; gap: 1rem; }
.headlines .share { font-size: 1.6rem; }
.headlines small { display: block; }
th, td { padding-inline: .5rem; }
`;

const print = `
:root { ${light} }
body { max-width: none; padding: 0; font-size: 10pt; }
figure, tr, li, h2, h3, dt { break-inside: avoid; }
h2, h3, dt { break-after: avoid; }
.pair { grid-template-columns: 1fr 1fr; }
.grid { grid-template-columns: 1fr 1fr 1fr; }
.scroll { overflow: visible; }
th, td { padding-inline: .35rem; }
:is(.folds, .workings) thead th { white-space: normal; }
.workings td:nth-child(n + 6) { white-space: normal; overflow-wrap: anywhere; }
.area-sample { print-color-adjust: exact; }
details::details-content { content-visibility: visible; block-size: auto; }
`;

/**
 * The page's look. Colours are variables, so that drawings follow the reader's light or dark setting; paper is light.
 * Policies have Okabe and Ito's colours, darker or lighter where the ground asks for it.
 */
export const styleSheet = new Markup(`<style>
:root { ${light} }
@media (prefers-color-scheme: dark) { :root { ${dark} } }
${text}${tables}${parts}@media (max-width: 40rem) { ${narrow}}
@media print { ${print}}
</style>`);
