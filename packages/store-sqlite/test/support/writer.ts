// A process of its own that writes to a store: node writer.ts PATH NAME HOW COUNT. One line on stdout per commit that was
// acknowledged, at once, so that the parent may kill it at any moment.
import { writeSync } from "node:fs";
import { writeToStore } from "@cm/testkit";
import { openSqliteStore } from "../../src/index.ts";

const [path = "", name = "", how = "", count = "0"] = process.argv.slice(2);
const store = openSqliteStore({ path });
await writeToStore(store, {
  name,
  how: how === "increments" ? how : "puts",
  commits: Number(count),
  onCommit: (n) => writeSync(1, `${n}\n`),
});
await store.close();
