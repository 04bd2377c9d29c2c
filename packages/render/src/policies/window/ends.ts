import type { PartForm } from "@cm/context-log";

/** What is left of a text at least, in UTF-16 units: half of it from the start, half from the end. */
const endsCharsMin = 400;

export type Ends = Extract<PartForm, { form: "spans" }>;

export const shortestEnds: Ends = { form: "spans", head: endsCharsMin / 2, tail: endsCharsMin / 2 };

/** Both ends of a text, as long as they may be within a number of bytes as UTF-8, but never under the shortest. */
export function endsWithin(text: string, bytes: number): Ends {
  const half = Math.max(0, bytes / 2);
  return {
    form: "spans",
    head: Math.max(shortestEnds.head, unitsWithin(text, half, 1)),
    tail: Math.max(shortestEnds.tail, unitsWithin(text, half, -1)),
  };
}

/** How many units fit, counted from the start or from the end. Half a pair counts three bytes, as an encoder writes it. */
function unitsWithin(text: string, bytes: number, step: 1 | -1): number {
  let left = bytes;
  let units = 0;
  for (let place = step === 1 ? 0 : text.length - 1; units < text.length; place += step) {
    const unit = text.charCodeAt(place);
    left -= unit < 0x80 ? 1 : unit < 0x800 ? 2 : 3;
    if (left < 0) break;
    units += 1;
  }
  return units;
}
