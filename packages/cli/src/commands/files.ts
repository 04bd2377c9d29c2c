import type { LeveledObject } from "@cm/context-log";
import { defined, type ListedVersion, locationOf, type ObjectStore } from "@cm/object-model";
import { listSessions, sessionAt } from "@cm/session";
import { visibleLine } from "@cm/terminal-text";
import { Command } from "commander";
import type { CommandRun } from "../command-line.ts";
import { cliError } from "../errors.ts";
import { limits } from "../limits.ts";
import { filesBelow } from "../objects/files-below.ts";
import { summaryOf } from "../objects/find-session.ts";
import { textFacts } from "../objects/versions.ts";
import { shortHash } from "../output/short-hash.ts";
import { compareWithSource, type SourceComparison } from "../sources/compare-with-source.ts";
import { openSources } from "../sources/open-sources.ts";

/** A session that met a file, and how the file stands there now. */
type Met = { readonly session: string } & Pick<LeveledObject, "alias" | "level" | "pinned">;

interface FilesOptions {
  readonly source: string;
  readonly session?: string;
  readonly sessions?: true;
  readonly now?: true;
  readonly git: readonly string[];
  readonly s3: readonly string[];
  readonly container: readonly string[];
  readonly openSecretFiles: readonly string[];
}

const columns = [{ title: "id" }, { title: "chars", align: "right" }, { title: "path", shrinks: true }] as const;

export function filesCommand(run: CommandRun): Command {
  const command = new Command("files")
    .description("files that any session met")
    .argument("[prefix]", "the start of their paths, as the source names them", "")
    .option("--source <source>", "the kind of source: filesystem, git, s3 or another", "filesystem")
    .option("--in <place>", "the file system, repository@ref or bucket")
    .option("--session <session>", "only what this session met")
    .option("--sessions", "which sessions met each, and under which alias")
    .option("--now", "look at each where it came from: same, changed, gone or out of reach")
    .option("--git <folder>", "with --now: look into this repository, too", each, [])
    .option("--s3 <url>", "with --now: look into buckets of this server, too; aws for AWS", each, [])
    .option("--container <id>", "with --now: look into this container, too; ID=COMMAND for other engines", each, [])
    .option(
      "--open-secret-files <pattern>",
      "with --now: look at these, too, which are closed for their names",
      each,
      [],
    );
  return command.action((prefix: string, options: FilesOptions & { in?: string }) =>
    run.run(command, async ({ world, output, open }) => {
      const store = await open();
      const met = options.sessions === true ? await metBy(store) : undefined;
      const only = options.session === undefined ? undefined : await idsOf(store, options.session);
      const rows: (readonly string[])[] = [];
      const files = onlyThese(filesBelow(store, { ...options, prefix, place: options.in }), only);
      for await (const [file, now] of withNow(files, options, world.cwd)) {
        const sessions = met === undefined ? undefined : (met.get(file.id) ?? []);
        if (output.json) await output.value(fileValue(file, sessions, now));
        else rows.push([...fileRow(file, sessions), ...(now === undefined ? [] : [nowText(now)])]);
      }
      if (output.json) return undefined;
      const more = [
        ...(met === undefined ? [] : [{ title: "sessions", shrinks: true } as const]),
        ...(options.now === true ? [{ title: "now" }] : []),
      ];
      if (rows.length === 0) output.note(noneMet(prefix, options));
      else await output.table([...columns, ...more], rows);
      return undefined;
    }),
  );
}

function noneMet(prefix: string, { source, session }: FilesOptions): string {
  const begins = prefix === "" ? "" : ` whose path begins with ${visibleLine(prefix, limits.fieldCharsMax)}`;
  return `${session === undefined ? "No session" : `Session ${session} has not`} met a file of the source ${source}${begins}.`;
}

const each = (value: string, before: readonly string[]): readonly string[] => [...before, value];

async function* onlyThese(files: AsyncIterable<ListedVersion>, only: ReadonlySet<string> | undefined) {
  for await (const file of files) if (only === undefined || only.has(file.id)) yield file;
}

/** Each file, with its current state if the user asks for it. */
async function* withNow(
  files: AsyncIterable<ListedVersion>,
  options: FilesOptions,
  cwd: string,
): AsyncGenerator<readonly [ListedVersion, SourceComparison | undefined]> {
  if (options.now !== true) {
    if (options.git.length + options.s3.length + options.container.length + options.openSecretFiles.length > 0)
      throw cliError(
        "cli/usage",
        "--git, --s3, --container and --open-secret-files say where --now looks: give --now, too.",
      );
    for await (const file of files) yield [file, undefined];
    return;
  }
  const sources = await openSources(options, cwd);
  try {
    yield* compareWithSource(files, sources);
  } finally {
    await Promise.all(sources.map((source) => source.close?.()));
  }
}

function nowText({ state, reason }: SourceComparison): string {
  if (reason === undefined) return state;
  const rule = /^ignored: secret-file (.+)$/s.exec(reason)?.[1];
  if (rule === undefined) return `out of reach: ${reason}`;
  return `closed for its name by the rule ${rule}; --open-secret-files "${rule}" looks`;
}

async function idsOf(store: ObjectStore, session: string): Promise<ReadonlySet<string>> {
  const { head } = await summaryOf(store, session);
  if (head === null) return new Set();
  return new Set((await sessionAt(store, head)).wrapper.session_index);
}

/**
 * The sessions of each file, in one pass over all sessions: a query for each file would read every session each time.
 */
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

function fileValue(file: ListedVersion, sessions: readonly Met[] | undefined, now: SourceComparison | undefined) {
  const location = file.document?.source == null ? undefined : locationOf(file.document.source);
  return {
    id: file.id,
    source: location?.type ?? null,
    place: location?.namespace ?? null,
    path: location?.path ?? null,
    contentHash: file.contentHash,
    ...textFacts(file),
    ...defined({ sessions }),
    ...(now === undefined ? {} : { now: now.state, reason: now.reason ?? null }),
  };
}
