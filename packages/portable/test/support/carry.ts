/** A process of its own: carries a session from one database file to another, and says what it was. */
import { createReadStream } from "node:fs";
import { writeFile } from "node:fs/promises";
import { openSqliteStore } from "@cm/store-sqlite";
import { exportBundle, importBundle } from "../../src/index.ts";

const [fromPath = "", toPath = "", bundlePath = ""] = process.argv.slice(2);
const [from, to] = [openSqliteStore({ path: fromPath }), openSqliteStore({ path: toPath })];
await writeFile(bundlePath, exportBundle(from, "large"));
const receipt = await importBundle(to, () => createReadStream(bundlePath));
await Promise.all([from.close(), to.close()]);
console.log(JSON.stringify(receipt));
