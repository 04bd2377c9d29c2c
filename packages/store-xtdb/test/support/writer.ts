// A process of its own that writes to a store: node writer.ts URL NAMESPACE NAME HOW COUNT. One line on stdout per commit
// that was acknowledged.
import { writeSync } from "node:fs";
import { writeToStore } from "@cm/testkit";
import { openXtdbStore } from "../../src/index.ts";

const [url = "", namespace = "", name = "", how = "", count = "0"] = process.argv.slice(2);
const token = process.env.CM_XTDB_TOKEN;
const store = openXtdbStore({ urls: url.split(","), namespace, ...(token === undefined ? {} : { token }) });
await writeToStore(store, {
  name,
  how: how === "increments" ? how : "puts",
  commits: Number(count),
  onCommit: (n) => writeSync(1, `${n}\n`),
});
await store.close();
