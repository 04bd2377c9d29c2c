import { type Content, drawn, html, type Markup } from "@cm/report-page";
import type { Drawing } from "../plots/draw.ts";

export interface FigureParts {
  readonly title: Content;
  /** The content of the drawing in words and numbers, for readers who cannot see it. */
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
