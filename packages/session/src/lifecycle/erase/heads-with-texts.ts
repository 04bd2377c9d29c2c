import { erasedMark } from "@cm/context-log/state";
import {
  type DocumentOf,
  isDocumentOf,
  type ListedVersion,
  type ObjectStore,
  sessionObjectId,
  type VersionName,
  type Write,
} from "@cm/object-model";
import { headWith } from "../../step/head-documents.ts";
import { versionsOf } from "./versions-of.ts";

/**
 * The versions of a session's head that kept one of the texts while the session was paused. The newest one is written
 * anew: what is pending is vouched for by no chain.
 */
export async function headsWithTexts(
  store: ObjectStore,
  session: string,
  texts: ReadonlySet<string>,
): Promise<{ readonly writes: readonly Write[]; readonly lost: readonly VersionName[] }> {
  if (texts.size === 0) return { writes: [], lost: [] };
  const versions = await versionsOf(store, sessionObjectId(session));
  const holding = versions.filter((version) => pendingTexts(version).some((text) => texts.has(text)));
  const lost = holding.map(({ id, token }) => ({ id, version: token }));
  const newest = versions[0];
  const head = newest !== undefined && holding.includes(newest) ? headOf(newest) : undefined;
  if (newest === undefined || head === undefined) return { writes: [], lost };
  return { writes: [{ document: withMarks(head, texts), expect: newest.token }], lost };
}

function headOf({ document }: ListedVersion): DocumentOf<"session"> | undefined {
  return document !== undefined && isDocumentOf(document, "session") ? document : undefined;
}

function pendingTexts(version: ListedVersion): readonly string[] {
  const messages = headOf(version)?.pending?.messages ?? [];
  return messages.flatMap((message) => (message.role === "user" ? [message.text] : []));
}

function withMarks(head: DocumentOf<"session">, texts: ReadonlySet<string>): DocumentOf<"session"> {
  const { pending, status } = head;
  const messages = (pending?.messages ?? []).map((message) =>
    message.role === "user" && texts.has(message.text) ? { ...message, text: erasedMark } : message,
  );
  return headWith({ session: head }, { status, pending: { ...pending, messages } });
}
