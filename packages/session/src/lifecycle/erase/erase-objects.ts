import { randomUUID } from "node:crypto";
import { argsPart, isNote, resultPart } from "@cm/context-log";
import { ContextLog, erasedMark } from "@cm/context-log/state";
import {
  type DocumentOf,
  type EraseReceipt,
  everyVersion,
  isDocumentOf,
  isSessionId,
  type ListedVersion,
  type ObjectDocument,
  type ObjectStore,
  type StepAddress,
  type StepMessage,
  sessionObjectId,
  sessionOfReference,
  stepId,
  type TextChoice,
  type VersionName,
  type VersionToken,
  type Write,
  withoutTexts,
} from "@cm/object-model";
import { readPath, replaySteps } from "@cm/step-log/load";
import { sessionError } from "../../errors.ts";
import { limits } from "../../limits.ts";
import { commitUntilAnswered, retryOnConflict } from "../../step/contention.ts";
import { headWith } from "../../step/step-documents.ts";
import { replaceJournalParts } from "./journal-parts.ts";
import { versionsOf } from "./versions-of.ts";

export interface EraseOptions {
  /** Of steps, only what was typed goes: answers and their thinking stay. */
  readonly keepAnswers?: boolean;
}

/**
 * Takes objects for good (SSOT 2.8). Of a step what was typed and answered in it is meant: texts, thinking, and arguments
 * of calls that no object has. Its place is taken by a step without them, so that the session goes on, is exported and
 * forked as before; results and files are objects of their own. Repeating it is safe, and completes what a death cut off:
 * until it returns, what was to be erased may be there.
 * @throws CmError `session/unknown-object` for a step that is not there, or of which nothing is left; what the store throws
 */
export async function eraseObjects(
  store: ObjectStore,
  ids: readonly string[],
  reason: string,
  { keepAnswers = false }: EraseOptions = {},
): Promise<EraseReceipt> {
  const steps = ids.flatMap((id) => parseStepId(id) ?? []);
  const others = ids.filter((id) => parseStepId(id) === undefined);
  const roles = new Set(keepAnswers ? (["user"] as const) : (["user", "assistant"] as const));
  // The replacements come first: a death between the two loses nothing, and the same call goes on from there.
  for (const address of steps) checkHasTexts(await findStep(store, address), address, roles);
  const parts = await replaceJournalParts(store, { ids: others, steps, roles, requestId });
  const replaced = await replaceSteps(store, steps, roles);
  return store.erase([...parts, ...others, ...replaced], reason);
}

const requestId = (): string => `erase texts ${randomUUID()}`;

type Roles = TextChoice["roles"];

/**
 * Writes steps in the place of those of which something is to be erased, and gives the versions that still have it: who
 * erases them is done. What is left of an earlier attempt is among them. Beside the steps themselves these are steps that
 * say what others made of the texts, and heads that kept them while the session was paused.
 * @throws CmError `session/unknown-object`, `session/busy`, or what the store throws
 */
async function replaceSteps(
  store: ObjectStore,
  steps: readonly StepAddress[],
  roles: Roles,
): Promise<readonly VersionName[]> {
  const lost = new Map<string, VersionName>();
  for (const address of steps) {
    for (const name of await replaceStep(store, address, roles)) lost.set(`${name.id} ${name.version}`, name);
  }
  return [...lost.values()];
}

function checkHasTexts({ document }: FoundStep, { session, n }: StepAddress, roles: Roles): void {
  if (document.replaces !== undefined || withoutTexts(document, { roles }) !== undefined) return;
  const what = roles.has("assistant") ? "typed or answered" : "typed";
  throw sessionError(
    "session/unknown-object",
    `Nothing was erased: nothing was ${what} in step ${n} of session ${session}; its results and files are objects of their own.`,
    { session, n },
  );
}

function replaceStep(store: ObjectStore, address: StepAddress, roles: Roles): Promise<readonly VersionName[]> {
  // A conflict: another program erases the same, or goes on with the session.
  return retryOnConflict({ session: address.session }, async () => {
    const { writes, lost } = await planOf(store, address, roles);
    if (writes.length > 0) await commitUntilAnswered(store, writes, requestId());
    return lost;
  });
}

/** What is written, and the versions that go then. */
interface Plan {
  readonly writes: readonly Write[];
  readonly lost: readonly VersionName[];
}

async function planOf(store: ObjectStore, address: StepAddress, roles: Roles): Promise<Plan> {
  const step = await findStep(store, address);
  const blank = withoutTexts(step.document, { roles }) ?? step.document;
  if (blank.replaces === undefined) return { writes: [], lost: [] };
  let known: Promise<ErasedParts> | undefined;
  const parts = () => {
    known ??= erasedParts(store, address, blank);
    return known;
  };
  const ownParts = step.document.amended === undefined ? {} : { amended: await parts() };
  const plans = [planned(step, withoutTexts(step.document, { roles, ...ownParts }))];
  for (const other of await amendingSteps(store, address, parts)) {
    plans.push(planned(other, withoutTexts(other.document, { roles: noRoles, amended: await parts() })));
  }
  plans.push(await headsWithTexts(store, address.session, textsGone(step.all, blank)));
  return { writes: plans.flatMap(({ writes }) => writes), lost: plans.flatMap(({ lost }) => lost) };
}

const noRoles: Roles = new Set();

/** All versions of the step go but the one that replaces them; where that is there already, what an attempt left. */
function planned({ id, token, document, all }: FoundStep, replacement: DocumentOf<"step"> | undefined): Plan {
  const going = all.filter((version) => replacement !== undefined || version.token !== token);
  const lost = going.map((version) => ({ id, version: version.token }));
  if (replacement !== undefined) return { writes: [{ document: replacement, expect: token }], lost };
  return { writes: [], lost: document.replaces === undefined ? [] : lost };
}

/** What persons typed in any version that is there, and is not in the replacement. */
function textsGone(all: FoundStep["all"], replacement: DocumentOf<"step">): ReadonlySet<string> {
  const staying = new Set(replacement.messages.map(typedText));
  const texts = all.flatMap(({ document }) => (isDocumentOf(document, "step") ? document.messages.map(typedText) : []));
  return new Set(texts.filter((text) => text !== "" && !staying.has(text)));
}

const typedText = (message: StepMessage): string => (message.role === "user" ? message.text : "");

/** Parts of the log (contract `PartForm`) whose text is erased. */
type ErasedParts = ReadonlySet<string>;

/**
 * The steps after one, in its session or in one that continues it, that hold other words for a text of it that is erased.
 */
async function amendingSteps(
  store: ObjectStore,
  address: StepAddress,
  parts: () => Promise<ErasedParts>,
): Promise<readonly FoundStep[]> {
  const steps: FoundStep[] = [];
  for await (const other of stepsThatAmend(store, address)) {
    const found = await findStep(store, other);
    const erased = await parts();
    const holds = found.all.some(({ document }) => isDocumentOf(document, "step") && amends(document, erased));
    if (holds && (await continues(store, other, address))) steps.push(found);
  }
  return steps;
}

function amends({ amended = [] }: DocumentOf<"step">, parts: ErasedParts): boolean {
  return amended.some(({ at, call }) => parts.has(call === undefined ? resultPart(at) : argsPart(at, call)));
}

/** Of the session itself, and of those that begin at a step of another one. */
async function* stepsThatAmend(store: ObjectStore, address: StepAddress): AsyncGenerator<StepAddress> {
  const page = { limit: limits.objectsPerPage, documents: true };
  const sessions = new Set([address.session]);
  for await (const { id, document } of everyVersion((at) => store.find({ type: "session" }, { ...page, ...at }))) {
    const isFork = isDocumentOf(document, "session") && document.forked_from !== undefined;
    if (isFork) sessions.add(sessionOfReference(id));
  }
  for (const session of sessions) {
    for await (const step of everyVersion((at) => store.find({ session, type: "step" }, { ...page, ...at }))) {
      const { id, document } = step;
      if (!isDocumentOf(document, "step") || id === stepId(address)) continue;
      if (document.amended !== undefined || document.replaces?.amended === true) yield { session, n: document.n };
    }
  }
}

/** Where the erased texts of a step stand in the log: each of its messages is one entry there, with notes between. */
async function erasedParts(
  store: ObjectStore,
  address: StepAddress,
  { parent, messages, replaces }: DocumentOf<"step">,
): Promise<ErasedParts> {
  const log = new ContextLog(address.session, 0);
  const { state } = log;
  let first = 0;
  for await (const { address: passed } of replaySteps(store, address, log)) {
    if (passed.session === parent?.session && passed.n === parent.n) first = state.log.length;
  }
  const entries = state.log.slice(first).filter((entry) => !isNote(entry));
  return new Set(
    (replaces?.texts ?? []).flatMap(({ message, part }) => {
      const at = entries[message]?.at;
      const said = messages[message];
      if (at === undefined || said?.role === "tool" || part === "thinking") return [];
      if (part === "text") return [resultPart(at)];
      const calls = said?.role === "assistant" ? (said.calls ?? []) : [];
      return calls.flatMap(({ object }, call) => (object === undefined ? [argsPart(at, call)] : []));
    }),
  );
}

async function continues(store: ObjectStore, step: StepAddress, { session, n }: StepAddress): Promise<boolean> {
  const path = await readPath(store, step);
  return path.some(({ address }) => address.session === session && address.n === n);
}

/**
 * The versions of a session's head that kept one of the texts while the session was paused. The newest one is written
 * anew: what is pending is vouched for by no chain.
 */
async function headsWithTexts(
  store: ObjectStore,
  session: string,
  texts: ReadonlySet<string>,
): Promise<{ readonly writes: readonly Write[]; readonly lost: readonly VersionName[] }> {
  if (texts.size === 0) return { writes: [], lost: [] };
  const versions = await versionsOf(store, sessionObjectId(session));
  const holding = versions.filter((version) => pendingTexts(version).some((text) => texts.has(text)));
  const lost = holding.map(({ id, token }) => ({ id, version: token }));
  const newest = versions[0];
  const head = newest !== undefined && holding.includes(newest) ? headOf(newest) : undefined;
  if (newest === undefined || head === undefined) return { writes: [], lost };
  return { writes: [{ document: withMarks(head, texts), expect: newest.token }], lost };
}

function headOf({ document }: ListedVersion): DocumentOf<"session"> | undefined {
  return isDocumentOf(document, "session") ? document : undefined;
}

function pendingTexts(version: ListedVersion): readonly string[] {
  const messages = headOf(version)?.pending?.messages ?? [];
  return messages.flatMap((message) => (message.role === "user" ? [message.text] : []));
}

function withMarks(head: DocumentOf<"session">, texts: ReadonlySet<string>): DocumentOf<"session"> {
  const { pending, status } = head;
  const messages = (pending?.messages ?? []).map((message) =>
    message.role === "user" && texts.has(message.text) ? { ...message, text: erasedMark } : message,
  );
  return headWith({ session: head }, { status, pending: { ...pending, messages } });
}

/** A step as it holds, and all versions of it that are still there. */
interface FoundStep {
  readonly id: string;
  readonly token: VersionToken;
  readonly document: DocumentOf<"step">;
  readonly all: readonly { readonly token: VersionToken; readonly document: ObjectDocument }[];
}

/** @throws CmError `session/unknown-object` where there is no such step, or nothing is left of it */
async function findStep(store: ObjectStore, { session, n }: StepAddress): Promise<FoundStep> {
  const id = stepId({ session, n });
  const versions = await versionsOf(store, id);
  const newest = versions[0];
  if (newest === undefined) throw unknownStep(session, n, "is not there");
  const { document, token } = newest;
  if (document === undefined) throw unknownStep(session, n, "was erased as a whole, and nothing of it is left");
  if (!isDocumentOf(document, "step")) throw unknownStep(session, n, "is no step");
  const all = versions.flatMap((version) =>
    version.document === undefined ? [] : [{ token: version.token, document: version.document }],
  );
  return { id, token, document, all };
}

function unknownStep(session: string, n: number, what: string) {
  return sessionError("session/unknown-object", `Nothing was erased: step ${n} of session ${session} ${what}.`, {
    session,
    n,
  });
}

/** The address that a step's id says; undefined for every other id. */
export function parseStepId(id: string): StepAddress | undefined {
  const at = id.lastIndexOf(":");
  const session = id.startsWith("step:") ? id.slice("step:".length, at) : "";
  const n = Number(id.slice(at + 1));
  return isSessionId(session) && Number.isSafeInteger(n) && n >= 0 && stepId({ session, n }) === id
    ? { session, n }
    : undefined;
}
