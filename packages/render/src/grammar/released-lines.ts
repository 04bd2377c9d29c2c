import { limits } from "../limits.ts";
import type { ReleasedBlock } from "./block.ts";
import { field, fieldPattern, parseField } from "./field.ts";

/** The notice of pins that a window forced out: one line, then the objects' names with single blanks between them. */
const releasedHeader = "pins_released";

export function releasedText({ ids, omitted }: ReleasedBlock): string {
  const left = omitted === undefined ? "" : ` omitted=${omitted}`;
  return `${releasedHeader}${left}\n${ids.slice(0, limits.releasedNamesMax).map(field).join(" ")}`;
}

export function parseReleased(header: string, rest: string): ReleasedBlock | undefined {
  const found = /^pins_released(?: omitted=(\d+))?$/.exec(header);
  if (found === null) return undefined;
  const ids = (rest.match(eachField) ?? []).map(parseField);
  return { kind: "released", ids, ...(found[1] === undefined ? {} : { omitted: Number(found[1]) }) };
}

const eachField = new RegExp(fieldPattern, "g");
