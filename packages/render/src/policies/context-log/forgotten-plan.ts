import type { ContextView, Recall } from "@cm/context-log";
import { isInView, type Miss } from "./missed-text.ts";
import type { LogParts } from "./parts.ts";

/**
 * The other files of a plan that was forgotten: an edit missed its text, so those that were once edited together with
 * its file are likely to be edited next. Of each file that nothing in view shows, the newest text that was read.
 */
export function forgottenObjects(view: ContextView, log: LogParts, misses: readonly Miss[]): readonly Recall[] {
  return misses.flatMap(({ file, into }) =>
    log.coEdits.partnersOf(file).flatMap((partner) => {
      const { parts } = log.touchOf(partner);
      if (parts.some((part) => isInView(view, part))) return [];
      const object = parts.findLast((part) => part.object !== undefined)?.object;
      return object === undefined ? [] : [{ object, into }];
    }),
  );
}
