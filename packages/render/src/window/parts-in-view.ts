import type { ContextView } from "@cm/context-log";
import { newestSteps } from "./marks.ts";
import { type OpenPart, type OpenParts, openPartsOf } from "./open-parts.ts";

/** A part that may be folded, as the window sees it. */
export interface WindowPart {
  readonly key: string;
  readonly at: number;
  readonly turn: number;
  readonly isArgs: boolean;
  /** The newest calls are always whole as long as anything else can give way. */
  readonly isNewest: boolean;
  /** The object whose text it is, and the file of which it shows something: a pin on either keeps it. */
  readonly objects: readonly string[];
  /** The newest step that read or changed its file; its own where it has none. */
  readonly touched: number;
}

/**
 * The parts of a log that weigh less folded, those of the newest calls, and those that a decision gives other forms; in
 * the order of the log.
 */
export function partsInView(view: ContextView, open: OpenParts, decided: Iterable<string>): readonly WindowPart[] {
  const parts = new Map([...open.all, ...newest(view)].map((part) => [part.key, part]));
  for (const key of decided) {
    const part = openPartsOf(view.log[Number.parseInt(key, 10)]).find((one) => one.key === key);
    if (part !== undefined) parts.set(key, part);
  }
  const inOrder = [...parts.values()].sort((a, b) => a.entry.at - b.entry.at || (a.call ?? 0) - (b.call ?? 0));
  return inOrder.map((part) => {
    const { key, entry, call } = part;
    const file = open.fileOf(part);
    return {
      ...{ key, at: entry.at, turn: entry.turn, isArgs: call !== undefined, touched: open.touched(part) },
      isNewest: isNewest(view, entry),
      objects: entry.kind === "assistant" ? [] : [...new Set([entry.object, file ?? entry.object])],
    };
  });
}

function newest(view: ContextView): readonly OpenPart[] {
  const last = view.log.findLastIndex((entry) => !isNewest(view, entry));
  return view.log.slice(last + 1).flatMap(openPartsOf);
}

const isNewest = ({ step }: ContextView, entry: OpenPart["entry"] | ContextView["log"][number]): boolean =>
  entry.step > step - newestSteps;
