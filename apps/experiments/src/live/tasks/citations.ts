import { isDocumentOf, type ObjectStore } from "@cm/object-model";
import { objectAt, type Session } from "@cm/session";
import { limits } from "../limits.ts";
import type { QuotesWanted } from "./task.ts";

/** A line `QUOTE path: text` of an answer. */
export interface Quote {
  readonly path: string;
  readonly text: string;
}

export interface CitationResult {
  /** Enough of them, each in its file, each wanted file among them. */
  readonly ok: boolean;
  readonly given: number;
  /** Those that stand in the cited file as the agent had it. */
  readonly found: number;
}

/** The quotes of an answer, in order. Marks of a list or of code around a line do not count. */
function quotesIn(answer: string): readonly Quote[] {
  return answer
    .split("\n")
    .flatMap((line) => {
      const [, path, text] = /^[\s>*`-]*QUOTE\s+`?([^\s:`]+)`?:\s?(.*)$/u.exec(line) ?? [];
      return path === undefined || text === undefined ? [] : [{ path, text: text.replace(/`$/, "").trim() }];
    })
    .slice(0, limits.quotesMax);
}

/**
 * Looks every quote up in the version of its file that the session had in sight when the answer was given. A file that
 * the agent never read has no text there, so every quote from it is wrong.
 */
export async function checkCitations(
  answer: string,
  wanted: QuotesWanted,
  { store, session, n, shownAs }: CitedSession,
): Promise<CitationResult> {
  const quotes = quotesIn(answer);
  const ids = await fileIds(session);
  const texts = new Map<string, string>();
  for (const path of new Set(quotes.map((quote) => pathOf(quote, shownAs)))) {
    const id = ids.get(path);
    if (id !== undefined) texts.set(path, await textAt(store, { session: session.session, n }, id));
  }
  const good = quotes.filter((quote) => stands(quote.text, texts.get(pathOf(quote, shownAs)) ?? ""));
  const cited = new Set(good.map((quote) => pathOf(quote, shownAs)));
  const all = wanted.of.every((path) => cited.has(`${shownAs}/${path}`));
  const ok = good.length === quotes.length && good.length >= wanted.min && all;
  return { ok, given: quotes.length, found: good.length };
}

export interface CitedSession {
  readonly store: ObjectStore;
  readonly session: Session;
  /** The step whose answer quotes. */
  readonly n: number;
  /** The working folder as prompts name it. */
  readonly shownAs: string;
}

function stands(quote: string, text: string): boolean {
  return quote.length >= limits.quoteCharsMin && quote.length <= limits.quoteCharsMax && text.includes(quote);
}

const pathOf = ({ path }: Quote, shownAs: string): string =>
  path.startsWith("/") ? path : `${shownAs}/${path.replace(/^\.\//, "")}`;

async function fileIds(session: Session): Promise<ReadonlyMap<string, string>> {
  const objects = await session.objects();
  return new Map(
    objects.flatMap(({ id, kind, path }) => (kind === "file" && path !== undefined ? [[path, id] as const] : [])),
  );
}

async function textAt(store: ObjectStore, step: { session: string; n: number }, id: string): Promise<string> {
  const document = (await objectAt(store, step, id))?.document;
  return document !== undefined && isDocumentOf(document, "file") ? (document.content ?? "") : "";
}
