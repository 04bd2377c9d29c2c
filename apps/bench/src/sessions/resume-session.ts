// A process of its own, as one that resumes is: `node resume-session.js FOLDER SESSION CHANGED`.
import { join } from "node:path";
import { layouts, rendererFor } from "@cm/render";
import { openSession } from "@cm/session";
import { createFilesystemSource } from "@cm/sources-fs";
import { openSqliteStore } from "@cm/store-sqlite";
import { TimedSource } from "./timed-source.ts";

/** The output of the process, as one line of JSON. */
export interface ResumeFigures {
  readonly objects: number;
  /** Files that were found changed. */
  readonly changed: number;
  /** Until the first request was there, without the looks at files, and those. Milliseconds. */
  readonly resumeMs: number;
  readonly lookMs: number;
}

const [folder = "", session = ""] = process.argv.slice(2);
const files = createFilesystemSource({ roots: [join(folder, "files")] });
const source = new TimedSource(files);
const store = openSqliteStore({ path: join(folder, "session.sqlite") });
const started = performance.now();
const resumed = await openSession({ store, layout: layouts.log, rendererFor, session, sources: [source] });
await resumed.assemble({ cache: "cold" });
const ms = performance.now() - started;
const figures: ResumeFigures = {
  objects: resumed.view().sets.index.size,
  changed: resumed.opened.report?.changed.length ?? 0,
  resumeMs: ms - source.lookMs,
  lookMs: source.lookMs,
};
// Not closed, which writes: what is measured next finds the session as it was left.
await resumed.abandon();
await files.close();
await store.close();
process.stdout.write(`${JSON.stringify(figures)}\n`);
