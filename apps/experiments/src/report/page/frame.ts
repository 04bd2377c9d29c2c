import { html, type Markup } from "./markup.ts";
import { styleSheet } from "./style-sheet.ts";

/** Even if something slipped through the escaping, this policy lets the browser neither run nor load it. */
const contentPolicy = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

/** A whole page around its content, with the look of every report. */
export function page(title: string, content: Markup): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${contentPolicy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}, Context Manager</title>
${styleSheet}
</head>
<body>
<main>
${content}
</main>
</body>
</html>
`.text;
}
