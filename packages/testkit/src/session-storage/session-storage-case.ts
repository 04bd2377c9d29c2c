import { mustHave } from "../case/admission.ts";
import { type LastCall, toldName } from "../case/last-call.ts";
import { type SubjectLaw, subjectCase } from "../case/subject-case.ts";
import type { ConformanceCase } from "../suite.ts";
import { type StorageSubject, storageMethods } from "./session-storage-subject.ts";

/** Gives a storage with a folder of its own. A case opens one and closes it when it ends. */
export type SessionStorageFactory = () => Promise<StorageSubject>;
export type SessionStorageCase = ConformanceCase<SessionStorageFactory>;

export type SessionStorageLaw = SubjectLaw<StorageSubject>;

export const sessionStorageCase = (law: SessionStorageLaw): SessionStorageCase => subjectCase(law, admitStorage);

function admitStorage(subject: StorageSubject, calls: LastCall): StorageSubject {
  mustHave("session storage", subject.storage, storageMethods);
  const telling = Object.fromEntries(storageMethods.map((name) => [name, (path: string) => toldName(path)]));
  const storage = calls.watch("storage", subject.storage, telling);
  return { storage, folder: subject.folder, close: () => subject.close() };
}
