import type { ContextView } from "@cm/context-log";
import type { Fold } from "@cm/session";
import type { Settings } from "../settings/settings.ts";
import { foldNotice } from "./fold-notice.ts";

/** What is asked of a session: its folds, and only where there are new ones all that it shows. */
export interface FoldedSession {
  readonly session: string;
  folds(): readonly Fold[];
  view(): ContextView;
}

/** Says each fold once. Folds from before the first look are no news. */
export class FoldNotices {
  #session: string | undefined;
  #toldStep = -1;

  /** Undefined where there is nothing to say. */
  next(session: FoldedSession, notices: Settings["notices"], cwd: string): string | undefined {
    const folds = session.folds();
    const newest = folds.at(-1)?.step ?? -1;
    const isKnown = this.#session === session.session;
    const news = isKnown ? folds.filter(({ step }) => step > this.#toldStep) : [];
    // On a shorter branch its folds count anew.
    this.#toldStep = newest;
    this.#session = session.session;
    if (news.length === 0 || notices === "off") return undefined;
    return foldNotice(news, session.view(), { isLong: notices === "long", cwd });
  }
}
