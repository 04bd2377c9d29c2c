import type { ObjectStore } from "@cm/object-model";
import { rendererFor } from "@cm/render";
import { type LifeText, type ObjectLife, objectLife, type RequestPlace } from "@cm/session/past";
import { isoText, momentText } from "@cm/terminal-text";
import { Command } from "commander";
import type { CommandRun, Task } from "../command-line.ts";
import { cliError } from "../errors.ts";
import { limits } from "../limits.ts";
import { findObject } from "../objects/find-object.ts";
import { findSession } from "../objects/find-session.ts";
import { withLeftOut } from "../objects/left-out.ts";
import { nameOf } from "../objects/leveled.ts";
import { type NumberedVersion, numberedVersions, textFacts } from "../objects/versions.ts";
import { fieldLines } from "../output/fields.ts";
import { shortHash } from "../output/short-hash.ts";
import { textLines } from "../requests/life-words.ts";
import { countText, stepText } from "../requests/request-words.ts";

export function whyCommand(run: CommandRun): Command {
  const command = new Command("why")
    .description("the life of one object in a session: where its texts stood, when they were folded, and why")
    .argument("<session>", "the session's id, or the start of it")
    .argument("<id>", "the object: its alias (f12, t7), id, path, or the id of a call");
  return command.action((text: string, id: string) =>
    run.run(command, async (task) => {
      const store = await task.open();
      const session = await findSession(store, text);
      const life = await lifeNamed(store, session, { id, cwd: task.world.cwd });
      const versions =
        life.versions.length === 0 ? [] : await numberedVersions(store, life.object.id, { documents: true });
      if (task.output.json) await task.output.value(lifeValue(session, life, versions));
      else {
        const [named] = await withLeftOut(store, [{ ...life.object, text: null }]);
        await showLife(task, { session, name: named === undefined ? "" : nameOf(named), life, versions });
      }
      return undefined;
    }),
  );
}

async function lifeNamed(
  store: ObjectStore,
  session: string,
  { id, cwd }: { readonly id: string; readonly cwd: string },
): Promise<ObjectLife> {
  const known = await objectLife(store, { session, name: id }, rendererFor);
  if (known !== undefined) return known;
  const life = await objectLife(store, { session, name: await findObject(store, id, { session, cwd }) }, rendererFor);
  if (life !== undefined) return life;
  throw cliError("cli/not-found", `Session ${session} has not met ${id}; \`cm show ${session}\` lists what it has.`, {
    session,
    object: id,
  });
}

interface NamedLife {
  readonly session: string;
  readonly name: string;
  readonly life: ObjectLife;
  readonly versions: readonly NumberedVersion[];
}

async function showLife({ output }: Task, { session, name, life, versions }: NamedLife): Promise<void> {
  const { object, met, complete, texts } = life;
  const fields = fieldLines([
    ["object", `${object.alias}  ${name}`.trimEnd()],
    ["id", object.id],
    ["met", [`step ${stepText(met.step, session)}`, momentText(met.atMs)].filter((text) => text !== "").join(", ")],
    ["level", `${object.level}${object.pinned ? ", pinned" : ""}`],
    ["note", complete ? "" : "something in this session was erased, so that some of it is not known"],
  ]);
  for (const line of fields) await output.line(line);
  if (life.versions.length > 0) {
    await output.line("");
    await output.table(
      versionColumns,
      life.versions.map((version) => versionRow(version, session, versions)),
    );
  }
  const told = texts.filter(isWorthTelling);
  await output.line("");
  if (told.length === 0) {
    await output.line("No text of it stood in a request.");
    return;
  }
  const shown = told.slice(-limits.textsToldMax);
  if (shown.length < told.length)
    await output.line(`${countText(told.length - shown.length)} earlier texts are left out here; --json has them.`);
  const newest = Math.max(...texts.flatMap(({ runs }) => runs.map(({ to }) => to.n)));
  for (const text of shown) for (const line of textLines(text, { session, newest })) await output.line(line);
}

const versionColumns = [
  { title: "version", align: "right" },
  { title: "seen from step", align: "right" },
  { title: "written" },
  { title: "hash" },
  { title: "chars", align: "right" },
] as const;

function versionRow(
  { contentHash, from }: ObjectLife["versions"][number],
  session: string,
  versions: readonly NumberedVersion[],
): readonly string[] {
  const stored = versions.find(({ version }) => version.contentHash === contentHash);
  const { chars = null } = stored === undefined ? {} : textFacts(stored.version);
  return [
    stored === undefined ? "" : `${stored.number}`,
    stepText(from.step, session),
    momentText(stored?.version.transactionTime),
    shortHash(contentHash),
    chars === null ? "" : countText(chars),
  ];
}

/** Arguments that are no more than the name of a file say nothing that their output does not. */
const isWorthTelling = ({ kind, chars, runs }: LifeText): boolean =>
  runs.length > 0 && (kind !== "arguments" || chars >= argumentsCharsMin || runs.length > 1);

const argumentsCharsMin = 200;

/** As programs get it: everything, and no text. */
function lifeValue(session: string, life: ObjectLife, versions: readonly NumberedVersion[]) {
  const { object, met, texts, levels, complete } = life;
  return {
    session,
    id: object.id,
    alias: object.alias,
    type: object.kind,
    path: object.path ?? null,
    tool: object.tool ?? null,
    level: object.level,
    pinned: object.pinned,
    chars: object.chars ?? null,
    textless: object.textless ?? null,
    complete,
    met: placeValue(met),
    versions: life.versions.map(({ contentHash, from }) => {
      const stored = versions.find(({ version }) => version.contentHash === contentHash);
      const written = stored && isoText(stored.version.transactionTime);
      return { version: stored?.number ?? null, contentHash, written: written ?? null, from: placeValue(from) };
    }),
    texts: texts.map(({ part, kind, call, chars, lines, runs }) => ({
      ...{ part, kind, chars },
      call: call ?? null,
      lines: lines === undefined ? null : { start: lines.start, end: lines.end ?? null },
      runs: runs.map(({ standing, reason, from, to }) => ({
        standing,
        reason: reason ?? null,
        from: placeValue(from),
        to: placeValue(to),
      })),
    })),
    levels: levels.map(({ level, pinned, from }) => ({ level, pinned, from: placeValue(from) })),
  };
}

const placeValue = ({ n, step, atMs }: RequestPlace) => ({
  request: n,
  step,
  at: atMs === undefined ? null : isoText(atMs),
});
