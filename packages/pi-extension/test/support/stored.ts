import { join } from "node:path";
import type { PiHome } from "@cm/scripted-models/real-pi";
import { listSessions, sessionAt } from "@cm/session";
import { verifyStore } from "@cm/session/verify";
import { openSqliteStore, type SqliteObjectStore } from "@cm/store-sqlite";
import { z } from "zod";

/** What the extension stored in a home of Pi, for a look after the run. */
export async function inStore<T>(home: PiHome, look: (store: SqliteObjectStore) => Promise<T>): Promise<T> {
  const store = openSqliteStore({ path: join(home.agentDir, "context-manager", "objects.sqlite"), readOnly: true });
  try {
    return await look(store);
  } finally {
    await store.close();
  }
}

/** All rows, in a list. */
export async function all<T>(rows: AsyncIterable<T>): Promise<readonly T[]> {
  const found: T[] = [];
  for await (const row of rows) found.push(row);
  return found;
}

export const storedSessions = (home: PiHome) => inStore(home, (store) => all(listSessions(store)));

/** Findings of a verification that are damage or not: none in a sound store. */
export const findings = (home: PiHome) => inStore(home, (store) => all(verifyStore(store)));

/** Tool calls of a session after a step, in order: id, status and whether the text is known. */
export const toolcalls = (home: PiHome, at: { readonly session: string; readonly n: number }) =>
  inStore(home, async (store) => {
    const { objects } = await sessionAt(store, at);
    return objects.filter(({ kind }) => kind === "toolcall");
  });

const link = z.object({ session: z.string(), piSession: z.string(), n: z.number().optional() });
export type StoredLink = z.infer<typeof link>;

/** The links of a session file of Pi, oldest first. */
export async function links(home: PiHome, file?: string): Promise<readonly StoredLink[]> {
  const entries = await home.sessionEntries(file);
  return entries.flatMap(({ customType, data }) => (customType === "cm-link" ? [link.parse(data)] : []));
}
