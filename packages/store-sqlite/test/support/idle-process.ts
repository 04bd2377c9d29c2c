// A process that opens a store in a thread, starts a commit without waiting for it, starts another thread that no store
// takes, and neither closes nor exits: node idle-process.ts PATH
import { sealDocument } from "@cm/object-model";
import { openSqliteStoreInThread } from "@cm/store-sqlite";
import { warmUpStoreThread } from "@cm/store-sqlite/warm-up";

const [path = ""] = process.argv.slice(2);
const store = await openSqliteStoreInThread({ path });
warmUpStoreThread();
const content = "written without waiting";
const document = sealDocument(
  { type: "system_prompt", id: "system_prompt:demo" },
  { content, session_ref: "session:demo" },
);
void store.commit([{ document, expect: "any" }]);
