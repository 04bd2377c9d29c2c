import { type LeveledObject, type ListedVersion, locationOf, type ObjectStore } from "@cm/object-model";
import { listSessions, sessionAt } from "@cm/session";
import { Command } from "commander";
import type { CommandRun } from "../command-line.ts";
import { filesBelow } from "../objects/files-below.ts";
import { summaryOf } from "../objects/find-session.ts";
import { textFacts } from "../objects/versions.ts";
import { shortHash } from "../output/figures.ts";

/** A session that met a file, and how the file stands there now. */
type Met = { readonly session: string } & Pick<LeveledObject, "alias" | "level" | "pinned">;

interface FilesOptions {
  readonly source: string;
  readonly session?: string;
  readonly sessions?: true;
}

const columns = [{ title: "id" }, { title: "chars", align: "right" }, { title: "path", shrinks: true }] as const;

export function filesCommand(run: CommandRun): Command {
  const command = new Command("files")
    .description("files that any session met")
    .argument("[prefix]", "the start of their paths, as the source names them", "")
    .option("--source <source>", "the kind of source: filesystem, git, s3 or another", "filesystem")
    .option("--in <place>", "the file system, repository@ref or bucket")
    .option("--session <session>", "only what this session met")
    .option("--sessions", "which sessions met each, and under which alias");
  return command.action((prefix: string, options: FilesOptions & { in?: string }) =>
    run.run(command, async ({ output, open }) => {
      const store = await open();
      const met = options.sessions === true ? await metBy(store) : undefined;
      const only = options.session === undefined ? undefined : await idsOf(store, options.session);
      const rows: (readonly string[])[] = [];
      for await (const file of filesBelow(store, { ...options, prefix, place: options.in })) {
        if (only !== undefined && !only.has(file.id)) continue;
        const sessions = met === undefined ? undefined : (met.get(file.id) ?? []);
        if (output.json) await output.value(fileValue(file, sessions));
        else rows.push(fileRow(file, sessions));
      }
      if (output.json) return undefined;
      if (rows.length === 0) output.note("No file that a session met is there.");
      else await output.table(met === undefined ? columns : [...columns, { title: "sessions", shrinks: true }], rows);
      return undefined;
    }),
  );
}

async function idsOf(store: ObjectStore, session: string): Promise<ReadonlySet<string>> {
  const { head } = await summaryOf(store, session);
  if (head === null) return new Set();
  return new Set((await sessionAt(store, head)).wrapper.session_index);
}

/** Who met what, in one pass over all sessions: asking for each file anew would read every session each time. */
async function metBy(store: ObjectStore): Promise<ReadonlyMap<string, readonly Met[]>> {
  const met = new Map<string, Met[]>();
  for await (const { session, head } of listSessions(store)) {
    if (head === null) continue;
    for (const { id, alias, level, pinned } of (await sessionAt(store, head)).objects) {
      const known = met.get(id) ?? [];
      known.push({ session, alias, level, pinned });
      met.set(id, known);
    }
  }
  return met;
}

function fileRow(file: ListedVersion, sessions: readonly Met[] | undefined): readonly string[] {
  const { chars, textless } = textFacts(file);
  const path = file.document?.source == null ? "" : locationOf(file.document.source).path;
  const row = [shortHash(file.id), chars === null ? (textless ?? "") : `${chars}`, path];
  return sessions === undefined ? row : [...row, sessions.map(({ session, alias }) => `${session}:${alias}`).join(" ")];
}

function fileValue(file: ListedVersion, sessions: readonly Met[] | undefined) {
  const location = file.document?.source == null ? undefined : locationOf(file.document.source);
  return {
    id: file.id,
    source: location?.type ?? null,
    place: location?.namespace ?? null,
    path: location?.path ?? null,
    contentHash: file.contentHash,
    ...textFacts(file),
    ...(sessions === undefined ? {} : { sessions }),
  };
}
