import type { Drawing } from "../plots/draw.ts";
import { type Content, drawn, html, type Markup } from "./markup.ts";

export interface FigureParts {
  readonly title: Content;
  /** What the drawing shows, in words and numbers, for those who do not see it. */
  readonly description: string;
  readonly drawing: Drawing;
  readonly caption?: Content;
}

export function figure({ title, description, drawing, caption }: FigureParts): Markup {
  const { width, height, body } = drawing;
  return html`<figure>
<h4>${title}</h4>
<svg role="img" aria-label="${description}" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}">${drawn(body)}</svg>
${caption === undefined ? undefined : html`<figcaption>${caption}</figcaption>`}
</figure>
`;
}
