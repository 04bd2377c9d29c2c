import { argsPart, type LogEntry, type PartForm, resultPart } from "@cm/context-log";
import { erasedMark, type LogState } from "@cm/context-log/state";
import { canonicalJson } from "@cm/object-model";

/** A text of the log that shows an object, or of the calls that worked on it. */
export interface LifePart {
  /** As in `ContextView.forms`. */
  readonly part: string;
  /**
   * `brought back`: the text of the object once more, at the end of a later result. `active set`: the text of the object
   * itself, under a layout that shows the members of that set; its `part` is empty.
   */
  readonly kind: "output" | "arguments" | "brought back" | "active set";
  /** The call whose output or arguments it is, by its object, alias and tool; undefined for what was brought back. */
  readonly call: { readonly id: string; readonly alias: string; readonly tool: string } | undefined;
  /** UTF-16 units in full. */
  readonly chars: number;
  /** Lines of the file that it shows, from 1; undefined where that is not known. */
  readonly lines: { readonly start: number; readonly end: number | undefined } | undefined;
}

/** How a text stood in a request. `left out`: its message left the prompt as a whole. */
export type LifeStanding = "in full" | "shortened" | "reference" | "left out" | "erased";

/** A part with the place of its entry in the log. */
export interface PlacedPart extends LifePart {
  readonly at: number;
  readonly isErased: boolean;
}

/** The parts of one entry that show an object. @param id the newest one that stands for it */
export function partsShowing(state: LogState, entry: LogEntry, id: string): readonly PlacedPart[] {
  const isIt = (other: string): boolean => state.successions.newest(other) === id;
  const { at } = entry;
  if (entry.kind === "recalled" && isIt(entry.object)) {
    const recalled = { call: undefined, chars: entry.text.length, lines: undefined };
    return [{ at, part: resultPart(at), kind: "brought back", ...recalled, isErased: entry.text === erasedMark }];
  }
  if (entry.kind === "result") {
    const span = entry.spans.find(({ file }) => isIt(file));
    if (entry.object !== id && span === undefined) return [];
    const lines = span && { start: span.start_line, end: span.end_line };
    const chars = entry.text?.length ?? 0;
    const isErased = entry.text === null && state.objects.get(entry.object)?.textless === "erased";
    return [{ at, part: resultPart(at), kind: "output", call: callNamed(state, entry), chars, lines, isErased }];
  }
  if (entry.kind !== "assistant") return [];
  return entry.calls.flatMap((call, place): readonly PlacedPart[] => {
    const { object } = call;
    if (object === undefined || !(object === id || call.files.some(isIt))) return [];
    const chars = canonicalJson(call.args).length;
    const isErased = state.objects.get(object)?.textless === "erased";
    const named = callNamed(state, { object, tool: call.tool });
    return [{ at, part: argsPart(at, place), kind: "arguments", call: named, chars, lines: undefined, isErased }];
  });
}

const callNamed = (
  { objects }: LogState,
  { object, tool }: { readonly object: string; readonly tool: string },
): LifePart["call"] => ({ id: object, alias: objects.get(object)?.alias ?? "", tool });

/** How a part stood in the request whose decision the state has followed. */
export function standingOf({ log, forms }: LogState, { at, part, isErased }: PlacedPart): LifeStanding {
  if (log[at]?.kind === "omitted") return "left out";
  if (isErased) return "erased";
  return standings[forms.get(part)?.form ?? "full"];
}

const standings: Readonly<Record<PartForm["form"], LifeStanding>> = {
  full: "in full",
  sparse: "in full",
  same: "shortened",
  diff: "shortened",
  pointer: "shortened",
  spans: "shortened",
  replaced: "shortened",
  reference: "reference",
};
