// A process of its own that erases what was typed: node eraser.ts PATH SESSION STEPS. One line on stdout when a step's
// replacement stands and its texts are still there, one when they are erased, so that the parent may kill it in between.
import { writeSync } from "node:fs";
import { type ObjectStore, stepId } from "@cm/object-model";
import { eraseObjects } from "@cm/session";
import { openSqliteStore } from "@cm/store-sqlite";

const [path = "", session = "", steps = "0"] = process.argv.slice(2);
const store = openSqliteStore({ path });
for (let n = 0; n < Number(steps); n += 1) {
  const told: ObjectStore = {
    contract: store.contract,
    getMany: store.getMany.bind(store),
    commit: store.commit.bind(store),
    history: store.history.bind(store),
    find: store.find.bind(store),
    erase(named, reason) {
      writeSync(1, `replaced ${n}\n`);
      return store.erase(named, reason);
    },
  };
  await eraseObjects(told, [stepId({ session, n })], "a key leaked");
  writeSync(1, `erased ${n}\n`);
}
await store.close();
