import { type ContextView, type LogTable, placeOfPart } from "@cm/context-log";
import { partsOf } from "./log-parts.ts";
import { isReadText, type Part } from "./part.ts";

/** False once a part is folded. */
export const isInView = (view: ContextView, part: Part): boolean => view.forms.get(part.key)?.form !== "reference";

/** By the file's number the keys of the parts in view that show its text: a file that is read for long has ever more folded ones. */
const inView: LogTable<Map<number, Set<string>>> = {
  name: "file parts in view",
  create: () => new Map(),
  update(facts, view, { from, to, parts }) {
    const log = partsOf(view);
    const look = (at: number): void => {
      for (const part of log.partsAt(at)) {
        if (part.file === undefined || !isReadText(part)) continue;
        const keys = facts.get(part.file) ?? new Set();
        if (isInView(view, part)) facts.set(part.file, keys.add(part.key));
        else keys.delete(part.key);
      }
    };
    for (const part of parts) look(placeOfPart(part));
    for (let at = from; at < to; at += 1) look(at);
  },
};

/** Whether anything in view shows text of a file. */
export const isFileInView = (view: ContextView, file: number): boolean =>
  (view.index.table(inView, view).get(file)?.size ?? 0) > 0;
