import type { ConformanceSuite } from "../suite.ts";
import { files } from "./laws/files.ts";
import { writers } from "./laws/writers.ts";
import { type SessionStorageFactory, sessionStorageCase } from "./session-storage-case.ts";

/** The law of "session-storage/1": where session files are. */
export const sessionStorageSuite: ConformanceSuite<SessionStorageFactory> = {
  contract: "session-storage/1",
  cases: [...files, ...writers].map(sessionStorageCase),
};
