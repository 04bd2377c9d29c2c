import {
  argsPart,
  type CallEntry,
  type ContextView,
  type RecalledEntry,
  type ResultEntry,
  resultPart,
} from "@cm/object-model";
import { newestSteps } from "./marks.ts";

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

/** All parts of a log, in its order. Looked up only where something must give way, so that it may take the whole log. */
export function partsInView(view: ContextView): readonly WindowPart[] {
  const { touched, fileOf } = touchesIn(view);
  const lastTouch = (file: string | undefined, step: number): number =>
    Math.max(step, file === undefined ? -1 : (touched.get(file) ?? -1));
  return view.log.flatMap((entry): readonly WindowPart[] => {
    const place = { at: entry.at, turn: entry.turn, isNewest: entry.step > view.step - newestSteps };
    if (entry.kind === "assistant") {
      return entry.calls.map((call, index) => ({
        ...place,
        key: argsPart(entry.at, index),
        isArgs: true,
        objects: [],
        touched: lastTouch(onlyFile(call), entry.step),
      }));
    }
    if (entry.kind !== "result" && entry.kind !== "recalled") return [];
    const file = fileOf(entry);
    const objects = file === undefined || file === entry.object ? [entry.object] : [entry.object, file];
    const part = { ...place, key: resultPart(entry.at), isArgs: false, objects };
    return [{ ...part, touched: lastTouch(file, entry.step) }];
  });
}

function touchesIn(view: ContextView) {
  const touched = new Map<string, number>();
  const files = new Map<string, string>();
  for (const entry of view.log) {
    const file = entry.kind === "result" ? shownFile(entry) : undefined;
    if (entry.kind !== "result" || file === undefined) continue;
    touched.set(file, entry.step);
    files.set(entry.object, file);
  }
  const fileOf = (entry: ResultEntry | RecalledEntry): string | undefined =>
    touched.has(entry.object) ? entry.object : files.get(entry.object);
  return { touched, fileOf };
}

/** A search that names many files shows none of them. */
const shownFile = (entry: ResultEntry): string | undefined => entry.spans[0]?.file ?? onlyFile(entry);

const onlyFile = ({ files }: Pick<CallEntry, "files">): string | undefined =>
  files.length === 1 ? files[0] : undefined;
