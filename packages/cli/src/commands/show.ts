import type { LeveledObject } from "@cm/context-log";
import {
  isDocumentOf,
  type ObjectDocument,
  type ObjectStore,
  type StepMessage,
  type StoredVersion,
  sessionObjectId,
} from "@cm/object-model";
import { objectAt, type SessionSummary, sessionAt } from "@cm/session";
import { counted, isoText, momentText, visibleText } from "@cm/terminal-text";
import { Command } from "commander";
import type { CommandRun, Task } from "../command-line.ts";
import { cliError } from "../errors.ts";
import { findObject } from "../objects/find-object.ts";
import { summaryOf } from "../objects/find-session.ts";
import { withLeftOut } from "../objects/left-out.ts";
import { levelCounts, nameOf, objectColumns, objectRow, objectValue } from "../objects/leveled.ts";
import { textFacts } from "../objects/versions.ts";
import { fieldLines } from "../output/fields.ts";
import { sessionValue, writerText } from "./sessions.ts";

export function showCommand(run: CommandRun): Command {
  const command = new Command("show")
    .description("a session with its objects, or one object with its text")
    .argument("<session>", "the session's id, or the start of it")
    .argument("[id]", "an object: its alias (f12, t7), id or path");
  return command.action((text: string, id: string | undefined) =>
    run.run(command, async (task) => {
      const store = await task.open();
      const summary = await summaryOf(store, text);
      const past = summary.head === null ? undefined : await sessionAt(store, summary.head);
      const objects = await withLeftOut(store, past?.objects ?? []);
      if (id === undefined) await showSession(task, { summary, objects, waiting: await waitingIn(store, summary) });
      else await showObject(task, store, { summary, objects, text: id });
      return undefined;
    }),
  );
}

/** What a session was given since its newest step: no step and no request has it yet. */
async function waitingIn(store: ObjectStore, { session }: SessionSummary): Promise<readonly StepMessage[]> {
  const id = sessionObjectId(session);
  const document = (await store.getMany([id])).get(id)?.document;
  return (isDocumentOf(document, "session") ? document.pending?.messages : undefined) ?? [];
}

interface ShownSession {
  readonly summary: SessionSummary;
  readonly objects: readonly LeveledObject[];
  readonly waiting: readonly StepMessage[];
}

async function showSession({ output, world }: Task, { summary, objects, waiting }: ShownSession): Promise<void> {
  if (output.json) {
    const value = { ...sessionValue(summary, world.now()), objects: levelCounts(objects), waiting };
    await output.value({ kind: "session", ...value });
    for (const object of objects) await output.value(objectValue(object));
    return;
  }
  const { session, status, steps, turns, toolcalls, recordedAtMs, forkedFrom } = summary;
  const { index, pool, active, pinned } = levelCounts(objects);
  const fields = fieldLines([
    ["session", session],
    ["status", status],
    ["steps", `${steps} (${counted(turns, "turn")}, ${counted(toolcalls, "tool call")})`],
    ["objects", `${index} (${pool} in the pool, ${active} active, ${pinned} pinned)`],
    ["last activity", momentText(recordedAtMs)],
    ["writer", writerText(summary, world.now())],
    ["forked from", forkedFrom === undefined ? "" : `${forkedFrom.session}@${forkedFrom.n}`],
    ...waiting.map((message): [string, string] => ["waiting", waitingText(message)]),
  ]);
  for (const line of fields) await output.line(line);
  if (objects.length === 0) return;
  await output.line("");
  await output.table(objectColumns, objects.map(objectRow));
}

function waitingText(message: StepMessage): string {
  if (message.role === "tool") return `result: ${message.object}`;
  const rest =
    message.role === "user"
      ? counted(message.attachments?.length ?? 0, "attachment")
      : counted(message.calls?.length ?? 0, "call");
  return `${message.role}: ${message.text === "" ? rest : message.text}`;
}

interface Wanted {
  readonly summary: SessionSummary;
  readonly objects: readonly LeveledObject[];
  readonly text: string;
}

/** The text alone goes to stdout, so that it can be piped; what is known about it goes to stderr. */
async function showObject(task: Task, store: ObjectStore, wanted: Wanted): Promise<void> {
  const { output } = task;
  const { object, version } = await versionShown(store, wanted, task.world.cwd);
  const { document, erased } = version;
  // The session may have seen a part of an unread file.
  const text = document?.content ?? object?.text ?? null;
  const { textless } = textFacts(version);
  if (output.json) {
    await output.value({
      ...(object === undefined ? { kind: "object", id: version.id } : objectValue(object)),
      type: version.type,
      contentHash: version.contentHash,
      validTime: isoText(version.validTime),
      transactionTime: isoText(version.transactionTime),
      erased: erased === undefined ? null : { reason: erased.reason, at: isoText(erased.at) },
      textless: text === null ? textless : null,
      text,
      document: document ?? null,
    });
    return;
  }
  for (const line of aboutObject(object, version)) output.note(output.paintNote("dim", line));
  if (text !== null) await output.write(output.isTerminal ? endingInLine(visibleText(text)) : text);
  else if (document !== undefined && object === undefined) await output.line(JSON.stringify(document, null, 2));
  else output.note(`It has no text: ${erased === undefined ? (textless ?? "none is known") : "it was erased"}.`);
}

async function versionShown(
  store: ObjectStore,
  { summary: { session, head }, objects, text }: Wanted,
  cwd: string,
): Promise<{ readonly object: LeveledObject | undefined; readonly version: StoredVersion }> {
  const object =
    objects.find(({ id, alias }) => id === text || alias === text) ?? objects.find(({ path }) => path === text);
  const inSight = object === undefined || head === null ? undefined : await objectAt(store, head, object.id);
  if (inSight !== undefined) return { object, version: inSight };
  const id = object?.id ?? (await findObject(store, text, { session, cwd }));
  const known = objects.find((one) => one.id === id);
  if (known !== undefined && head !== null) {
    const version = await objectAt(store, head, id);
    if (version !== undefined) return { object: known, version };
  }
  const version = (await store.getMany([id])).get(id);
  if (version !== undefined) return { object: known, version };
  throw cliError("cli/not-found", `The object ${text} holds nowhere now; \`cm history\` lists its versions.`, {
    id,
    session: sessionObjectId(session),
  });
}

function aboutObject(object: LeveledObject | undefined, version: StoredVersion): readonly string[] {
  return fieldLines([
    ["object", version.id],
    ["type", version.type],
    ["name", object === undefined ? "" : nameOf(object)],
    ["alias", object?.alias ?? ""],
    ["level", object === undefined ? "not met by this session" : `${object.level}${object.pinned ? ", pinned" : ""}`],
    ["holds from", momentText(version.validTime)],
    ["hash", version.contentHash],
    ["redactions", object?.redactions === undefined ? "" : `${object.redactions}`],
    ["text from", version.document !== undefined && isTold(version.document) ? "a tool's output, not observed" : ""],
    ["erased", version.erased === undefined ? "" : `${momentText(version.erased.at)}: ${version.erased.reason}`],
  ]);
}

const isTold = (document: ObjectDocument): boolean =>
  isDocumentOf(document, "file") && document.content_from === "tool";

const endingInLine = (text: string): string => (text.endsWith("\n") || text === "" ? text : `${text}\n`);
