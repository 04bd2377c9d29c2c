import { page as framed, type Markup } from "@cm/report-page";
import { styleSheet } from "./style-sheet.ts";

/** A whole page around its content, with the look of every report. */
export function page(title: string, content: Markup): string {
  return framed({ title, style: styleSheet, content });
}
