import type { PartLife } from "@cm/replay";
import type { Band } from "./bands.ts";
import { stateAt } from "./lives.ts";
import { type Shade, shadeOf } from "./shades.ts";

/** A band in one shade, from one column to before another. */
export interface Stretch {
  readonly shade: Shade;
  readonly from: number;
  readonly to: number;
}

export interface Columns {
  readonly count: number;
  /** Calls of one column. */
  readonly calls: number;
}

export function columnsFor(calls: number, columnsMax: number): Columns {
  const size = Math.max(1, Math.ceil(calls / columnsMax));
  return { count: Math.ceil(calls / size), calls: size };
}

/** The column that a call is drawn in. */
export function columnOf(call: number, { count, calls }: Columns): number {
  return Math.min(count - 1, Math.max(0, Math.floor(call / calls)));
}

/** The life of a band: at each column the shade of most of its characters that had arrived at the column's last call. */
export function stretchesOf({ parts }: Band, columns: Columns): readonly Stretch[] {
  const changes = parts.flatMap(({ forms }) => forms.map(({ call }) => columnOf(call, columns)));
  const turns = [...new Set(changes)].sort((a, b) => a - b);
  const stretches: { shade: Shade; from: number; to: number }[] = [];
  for (const [at, from] of turns.entries()) {
    const to = turns[at + 1] ?? columns.count;
    const shade = shadeAt(parts, lastCall(from, columns));
    const before = stretches.at(-1);
    if (before !== undefined && before.shade === shade && before.to === from) before.to = to;
    else if (shade !== undefined) stretches.push({ shade, from, to });
  }
  return stretches;
}

function lastCall(column: number, { calls }: Columns): number {
  return (column + 1) * calls - 1;
}

function shadeAt(parts: readonly PartLife[], call: number): Shade | undefined {
  const chars = new Map<Shade, number>();
  for (const part of parts) {
    const stand = stateAt(part, call);
    if (stand === undefined) continue;
    const shade = shadeOf(part.kind, stand.form);
    chars.set(shade, (chars.get(shade) ?? 0) + part.chars);
  }
  const most = Math.max(...chars.values());
  return [...chars].find(([, count]) => count === most)?.[0];
}
