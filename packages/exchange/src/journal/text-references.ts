import type { EntryTextReference, ObjectDocument } from "@cm/object-model";
import { limits } from "../limits.ts";

/** The texts of some documents, to find those of a file's entry among them. */
export class KnownTexts {
  readonly #texts: { readonly text: string; readonly id: string; readonly path: readonly (string | number)[] }[] = [];

  /** Every long text that it says, however deep; hashes and names are none. */
  add(document: ObjectDocument): void {
    for (const field of ["content", "args", "messages"]) this.#walk(document[field], document["xt/id"], [field]);
  }

  find(text: string): EntryTextReference | undefined {
    if (text.length < limits.referredCharsMin) return undefined;
    for (const { text: known, id, path } of this.#texts) {
      if (known.length < text.length) continue;
      const start = known.length === text.length ? (known === text ? 0 : -1) : known.indexOf(text);
      if (start >= 0) return [id, path, start, start + text.length];
    }
    return undefined;
  }

  #walk(value: unknown, id: string, path: readonly (string | number)[]): void {
    if (typeof value === "string") {
      if (value.length >= limits.referredCharsMin) this.#texts.push({ text: value, id, path });
    } else if (Array.isArray(value)) {
      for (const [place, element] of value.entries()) this.#walk(element, id, [...path, place]);
    } else if (typeof value === "object" && value !== null) {
      for (const [key, member] of Object.entries(value)) this.#walk(member, id, [...path, key]);
    }
  }
}

/** The text that a reference means; undefined where it went. */
export function referredText([, path, start, end]: EntryTextReference, document: ObjectDocument): string | undefined {
  let value: unknown = document;
  for (const key of path) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return undefined;
    value = (value as Record<string | number, unknown>)[key];
  }
  return typeof value === "string" && value.length >= end ? value.slice(start, end) : undefined;
}
