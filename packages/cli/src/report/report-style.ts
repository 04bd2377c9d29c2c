import { style } from "@cm/report-page";

const light =
  "color-scheme: light; --page: #fff; --ink: #1f2328; --muted: #59636e; --line: #dfe3e8; --whole: #dfe3e8; --part: #0072b2;";
const dark =
  "color-scheme: dark; --page: #15181c; --ink: #e3e7eb; --muted: #9aa4af; --line: #30363d; --whole: #30363d; --part: #58a9dc;";

/** The look of a report's page: the reader's light or dark setting, and paper. */
export const reportStyle = style(`:root { ${light} }
@media (prefers-color-scheme: dark) { :root { ${dark} } }
body { margin: 0 auto; max-width: 78rem; padding: 2.5rem 2rem 4rem; background: var(--page); color: var(--ink); font: 16px/1.55 system-ui, sans-serif; }
h1 { font-size: 1.75rem; margin: 0 0 .5rem; }
h2 { font-size: 1.2rem; margin: 2.25rem 0 .5rem; }
p, li, dd { max-width: 46rem; }
.findings { padding: 0; list-style: none; }
.findings li { margin-bottom: .6rem; }
.basis { display: inline-block; padding: 0 .45rem; border: 1px solid var(--line); border-radius: .75rem; color: var(--muted); font-size: .8125rem; font-weight: normal; }
.left-out { color: var(--muted); }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; font-size: .9375rem; }
th, td { padding: .35rem .55rem; border-bottom: 1px solid var(--line); text-align: right; white-space: nowrap; }
th { font-weight: 600; }
thead th { color: var(--muted); font-size: .8125rem; }
:is(th, td):first-child { padding-left: 0; }
:is(tbody th, th:first-child, th:nth-child(2), td:nth-child(2)) { text-align: left; font-weight: normal; }
tbody th { white-space: normal; max-width: 15rem; overflow-wrap: anywhere; }
.outputs :is(th, td):nth-child(2) { text-align: right; }
.outputs :is(th, td):nth-child(n + 3) { text-align: left; }
.outputs td:last-child { white-space: normal; overflow-wrap: anywhere; min-width: 14rem; }
.total > * { border-top: 2px solid var(--line); font-weight: 600; }
.bar { display: block; width: 5.5rem; height: .7rem; }
.whole { fill: var(--whole); }
.part { fill: var(--part); }
dt { font-weight: 600; margin-top: .75rem; }
dd { margin: 0; }
@media (max-width: 40rem) { body { padding: 1.5rem 1rem 2rem; } }
@media print { :root { ${light} } body { max-width: none; padding: 0; font-size: 10pt; } .scroll { overflow: visible; } .bar { print-color-adjust: exact; } tr, li { break-inside: avoid; } }`);
