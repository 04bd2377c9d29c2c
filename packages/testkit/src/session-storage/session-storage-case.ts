import { mustHave } from "../case/admission.ts";
import { type LastCall, toldName } from "../case/last-call.ts";
import { runCase } from "../case/run-case.ts";
import type { ConformanceCase } from "../suite.ts";
import { type StorageSubject, storageMethods } from "./session-storage-subject.ts";

/** Gives a storage with a folder of its own. A case opens one and closes it when it ends. */
export type SessionStorageFactory = () => Promise<StorageSubject>;
export type SessionStorageCase = ConformanceCase<SessionStorageFactory>;

/** A case without the opening and closing of its subject. */
export interface SessionStorageLaw {
  readonly id: string;
  readonly clause: string;
  readonly title: string;
  holds(subject: StorageSubject): Promise<void>;
}

export function sessionStorageCase({ id, clause, title, holds }: SessionStorageLaw): SessionStorageCase {
  return {
    id,
    clause,
    title,
    run: (open, options) =>
      runCase(
        { id, open: async () => open(), admit: admitStorage, holds, close: async (subject) => subject.close() },
        options,
      ),
  };
}

function admitStorage(subject: StorageSubject, calls: LastCall): StorageSubject {
  mustHave("session storage", subject.storage, storageMethods);
  const telling = Object.fromEntries(storageMethods.map((name) => [name, (path: string) => toldName(path)]));
  const storage = calls.watch("storage", subject.storage, telling);
  return { storage, folder: subject.folder, close: () => subject.close() };
}
