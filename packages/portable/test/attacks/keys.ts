import { bodyOf } from "../../src/format/line-text.ts";
import type { BundleLine } from "../../src/format/lines.ts";
import { type AnyLine, summed } from "../support/lines.ts";
import { type Attack, first, type Material } from "./attack.ts";

const names = ["__proto__", "constructor", "prototype", "toString", "hasOwnProperty"];

/** A line as text with a member more, put in where it would go. */
function withMember(line: AnyLine, name: string, behind: RegExp): string {
  const { sum: _sum, ...rest } = line;
  const body = bodyOf(rest as BundleLine);
  const at = body.search(behind);
  const end = at + (behind.exec(body)?.[0].length ?? 0);
  return `${body.slice(0, end)}${JSON.stringify(name)}:{"polluted":true},${body.slice(end)}`;
}

/** Keys that reach for prototypes, at every level of a line. */
export function keyAttacks({ lines }: Material): readonly Attack[] {
  const places: readonly (readonly [string, (all: AnyLine[]) => number, RegExp])[] = [
    ["the header", () => 0, /^\{/],
    ["a version line", (all) => first(all, "file"), /^\{/],
    ["a document", (all) => first(all, "file"), /"document":\{/],
    ["a source", (all) => first(all, "file"), /"source":\{/],
    ["a step's changes", (all) => first(all, "step"), /"changes":\{/],
    ["a message", (all) => first(all, "step"), /"messages":\[\{/],
    ["a head", (all) => first(all, "session"), /"head":\{/],
    ["the trailer", (all) => all.length - 1, /^\{/],
    ["the counts", (all) => all.length - 1, /"counts":\{/],
  ];
  return names.flatMap((name) =>
    places.map(
      ([where, placeOf, behind]): Attack => ({
        title: `a key ${name} in ${where}`,
        bytes: () => {
          const all: (AnyLine | string)[] = lines();
          const place = placeOf(lines());
          all[place] = withMember(lines()[place] ?? {}, name, behind);
          return summed(all);
        },
      }),
    ),
  );
}
