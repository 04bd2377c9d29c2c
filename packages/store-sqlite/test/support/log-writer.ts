// A process of its own that writes through a connection whose log is moved into the file every few commits:
// node log-writer.ts PATH NAME COUNT. Prints how many.
import { openConnection } from "../../src/open-connection.ts";
import { useWriteAheadLog } from "../../src/write-ahead-log.ts";

const [path = "", name = "", count = "0"] = process.argv.slice(2);
const timeoutMs = 30_000;
const connection = openConnection(path, { timeoutMs, checkpointPages: 8 });
useWriteAheadLog(connection, timeoutMs);
connection.exec("PRAGMA synchronous = NORMAL; CREATE TABLE IF NOT EXISTS t(name, n, text, PRIMARY KEY(name, n))");
for (let n = 0; n < Number(count); n += 1) {
  connection.write(() => connection.run("INSERT INTO t VALUES (?, ?, ?)", name, n, `${name} ${n} `.repeat(300)));
}
connection.close();
console.log(count);
