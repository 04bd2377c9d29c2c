import { html, Markup } from "./markup.ts";

/** Even if something slipped through the escaping, this policy lets the browser neither run nor load it. */
const contentPolicy = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

export interface PageParts {
  readonly title: string;
  /** A `<style>` element of the program's own; nothing from outside may be in it. */
  readonly style: Markup;
  readonly content: Markup;
}

/** A whole page as text. The browser loads nothing for it and runs nothing in it. */
export function page({ title, style, content }: PageParts): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${contentPolicy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}, Context Manager</title>
${style}
</head>
<body>
<main>
${content}
</main>
</body>
</html>
`.text;
}

/** A style sheet of the program's own. */
export function style(css: string): Markup {
  return new Markup(`<style>\n${css}\n</style>`);
}
