import { randomUUID } from "node:crypto";
import {
  type DocumentOf,
  isDocumentOf,
  type ObjectStore,
  type StepAddress,
  type StepMessage,
  type TextChoice,
  type VersionName,
  type Write,
  withoutTexts,
} from "@cm/object-model";
import { sessionError } from "../../errors.ts";
import { commitUntilAnswered } from "../../step/commit-until-answered.ts";
import { retryOnConflict } from "../../step/retry-on-conflict.ts";
import { amendingSteps, type ErasedParts, erasedParts } from "./amending-steps.ts";
import { type FoundStep, findStep } from "./found-step.ts";
import { headsWithTexts } from "./heads-with-texts.ts";

type Roles = TextChoice["roles"];

/**
 * Writes steps in the place of those of which something is to be erased, and gives the versions that still have it: who
 * erases them is done. What is left of an earlier attempt is among them. Beside the steps themselves these are steps that
 * say what others made of the texts, and heads that kept them while the session was paused.
 * @throws CmError `session/unknown-object` before anything is written, `session/busy`, or what the store throws
 */
export async function replaceSteps(
  store: ObjectStore,
  steps: readonly StepAddress[],
  roles: Roles,
): Promise<readonly VersionName[]> {
  for (const address of steps) checkHasTexts(await findStep(store, address), address, roles);
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
    if (writes.length > 0) await commitUntilAnswered(store, writes, `erase texts ${randomUUID()}`);
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
    plans.push(planned(other, withoutTexts(other.document, { roles: nobody, amended: await parts() })));
  }
  plans.push(await headsWithTexts(store, address.session, textsGone(step.all, blank)));
  return { writes: plans.flatMap(({ writes }) => writes), lost: plans.flatMap(({ lost }) => lost) };
}

const nobody: Roles = new Set();

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
