import type { RawObject } from "@cm/journal";
import {
  type DocumentOf,
  isDocumentOf,
  journalId,
  journalPartId,
  type ObjectStore,
  type StepAddress,
  sealDocument,
  sessionObjectId,
  type VersionToken,
  type Write,
} from "@cm/object-model";

/** What the store knows of the file that a session came from. */
export interface StoredJournal {
  readonly document: DocumentOf<"journal">;
  readonly token: VersionToken;
  readonly validTime: Date;
}

/** Undefined where the session came from no file. */
export async function readJournal(store: ObjectStore, session: string): Promise<StoredJournal | undefined> {
  const id = journalId(session);
  const version = (await store.getMany([id])).get(id);
  const document = version?.document;
  if (version === undefined || !isDocumentOf(document, "journal")) return undefined;
  const { token, validTime } = version;
  return { document, token, validTime };
}

/** One entry as it is kept: with the step whose answer or result it is. */
export interface WrittenEntry {
  readonly step: number | undefined;
  readonly entry: unknown;
}

export interface JournalFacts {
  readonly session: string;
  readonly agent: string;
  /** As `EntryWriter` writes it, behind the lines before it; empty where nothing but the steps is kept. */
  readonly header: readonly unknown[];
  readonly entries: number;
  readonly sum: string;
  readonly parts: number;
  readonly marks?: string | undefined;
  readonly redactions: number;
  readonly nextStep: number;
  readonly head: StepAddress | null;
}

export function journalWrite(facts: JournalFacts, expect: Write["expect"]): Write {
  const { session, agent, header, entries, sum, parts, marks, redactions, nextStep, head } = facts;
  const document = sealDocument(
    { type: "journal", id: journalId(session) },
    {
      content: header.length === 0 ? null : JSON.stringify(header.length === 1 ? header[0] : header),
      session_ref: sessionObjectId(session),
      ...{ agent, entry_count: entries, source_sum: sum, part_count: parts },
      ...(marks === undefined ? {} : { marks }),
      ...(redactions > 0 ? { redactions } : {}),
      ...{ next_step: nextStep, head },
    },
  );
  return { document, expect };
}

/** The header, and the lines before it. */
export function headerOf(content: string): { readonly header: unknown; readonly before: readonly unknown[] } {
  const written: unknown = JSON.parse(content);
  const lines: readonly unknown[] = Array.isArray(written) ? written : [written];
  return { header: lines.at(-1), before: lines.slice(0, -1) };
}

export function journalPartWrite(session: string, n: number, entries: readonly WrittenEntry[]): Write {
  const lines = entries.map(({ step, entry }) => JSON.stringify(step === undefined ? [entry] : [entry, step]));
  const document = sealDocument(
    { type: "journal_part", id: journalPartId(session, n) },
    { content: lines.join("\n"), session_ref: sessionObjectId(session), n, entry_count: entries.length },
  );
  return { document, expect: "absent" };
}

export function entriesOfPart({ content }: Pick<DocumentOf<"journal_part">, "content">): readonly WrittenEntry[] {
  if (content === "") return [];
  return content.split("\n").map((line) => {
    const [entry, step] = JSON.parse(line) as readonly [RawObject, number?];
    return { entry, step };
  });
}
