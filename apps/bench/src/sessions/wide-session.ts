// Writes a session of many files in few steps: `node wide-session.js FOLDER FILES`.
import { join } from "node:path";
import { layouts, rendererFor } from "@cm/render";
import { openSession } from "@cm/session";
import { createFilesystemSource } from "@cm/sources-fs";
import { openSqliteStore } from "@cm/store-sqlite";
import { filePath, writeFiles } from "./long-session-script.ts";

/** As many files as one call may name. */
const filesPerStep = 1_000;

const [folder = "", filesText = "10000"] = process.argv.slice(2);
const count = Number(filesText);
const root = join(folder, "files");
writeFiles(
  root,
  Array.from({ length: count }, (_, n) => n),
);

const source = createFilesystemSource({ roots: [root] });
const store = openSqliteStore({ path: join(folder, "session.sqlite") });
const session = await openSession({ store, layout: layouts.log, rendererFor, session: "wide", sources: [source] });
for (let n = 0; n < count; n += filesPerStep) {
  const paths = Array.from({ length: Math.min(filesPerStep, count - n) }, (_, place) =>
    join(root, filePath(n + place)),
  );
  const bindings = await Promise.all(paths.map((path) => source.bind(path)));
  await session.assemble();
  await session.record({
    answer: { role: "assistant", text: "", calls: [{ callId: `find_${n}`, tool: "find", args: { part: n } }] },
    results: [
      {
        role: "tool",
        callId: `find_${n}`,
        text: "found",
        failed: false,
        files: bindings.map((binding) => ({ binding, as: "read" as const })),
      },
    ],
  });
}
// Not closed, which writes: what is measured next finds the session as it was left.
await session.abandon();
await source.close();
await store.close();
