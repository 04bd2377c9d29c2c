import { visibleLine } from "@cm/terminal-text";
import { limits } from "./limits.ts";

/** HTML that may stand in the page as it is. Only `html`, `drawn` and `style` make it, so plain strings are always escaped. */
export class Markup {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

export type Content = string | number | Markup | undefined | readonly Content[];

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/**
 * Template tag: the literal parts are markup, what is put in is text. Text is escaped for elements and for quoted
 * attributes, shows its control and bidirectional characters, and is bounded. `undefined` is nothing.
 */
export function html(literals: TemplateStringsArray, ...contents: readonly Content[]): Markup {
  return new Markup(String.raw({ raw: literals }, ...contents.map(rendered)));
}

/** A drawing of ours. Nothing from outside may be in it. */
export function drawn(svg: string): Markup {
  return new Markup(svg);
}

function rendered(content: Content): string {
  if (content === undefined) return "";
  if (content instanceof Markup) return content.text;
  if (typeof content === "object") return content.map(rendered).join("");
  return visibleLine(`${content}`, limits.textCharsMax).replace(/[&<>"']/g, (character) => entities[character] ?? "");
}
