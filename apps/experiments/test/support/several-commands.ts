// node several-commands.ts CLI: runs the command lines of its input one after the other in this process, each as if it were the
// only one: most of a short command's time is its start. Input: JSON, an array of { folder, args }. Output: their results.
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import type { CommandLine, CommandResult } from "./command.ts";

const [cli = ""] = process.argv.slice(2);
const results: CommandResult[] = [];
const write = process.stdout.write.bind(process.stdout);

for (const [place, { folder, args }] of (JSON.parse(readFileSync(0, "utf8")) as CommandLine[]).entries()) {
  const said = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const) {
    process[name].write = (text: string | Uint8Array) => {
      said[name] += typeof text === "string" ? text : Buffer.from(text).toString("utf8");
      return true;
    };
  }
  process.chdir(folder);
  process.env.CM_CALLER_FOLDER = folder;
  process.argv = [process.execPath, cli, ...args];
  process.exitCode = 0;
  // Another name is another module, which runs again; what it imports is there already.
  await import(`${pathToFileURL(cli).href}?${place}`);
  results.push({ status: Number(process.exitCode), ...said });
}
process.exitCode = 0;
write(JSON.stringify(results));
