export { limits } from "./limits.ts";
export { type Content, drawn, html, type Markup } from "./markup.ts";
export { type PageParts, page, style } from "./page.ts";
