import type { ViewObject } from "../view.ts";

/** The text of an object where it is all of it, and not only a part that was seen. */
export function wholeText(object: ViewObject | undefined): string | null {
  return object === undefined || object.textless !== undefined ? null : object.text;
}
