import type { LogState } from "@cm/context-log/state";
import type { FileIndex } from "./file-index.ts";

/** Files without a text that were asked for and that this client has not reached since: a look may find them now. */
export function askedInVain(
  { objects, sets }: Pick<LogState, "objects" | "sets">,
  files: Pick<FileIndex, "known">,
  asked: Iterable<string> = sets.requested,
): readonly string[] {
  return [...asked].filter((id) => {
    const object = objects.get(id);
    return object?.kind === "file" && object.textless === "unread" && files.known(id)?.reached !== true;
  });
}
