import assert from "node:assert/strict";
import {
  limits as modelLimits,
  type Observation,
  type ObserveRequest,
  type ReadLimits,
  type SourceBinding,
  sha256,
  withDeadline,
} from "@cm/object-model";
import { limits } from "../limits.ts";
import type { SourceSubject } from "./source-subject.ts";

/** Bounds of an ordinary look: none of them is met by what the laws put into the world. */
export const ample: ReadLimits = { contentBytesMax: 1024 * 1024, deadlineMs: limits.observeMs };

export type Present = Extract<Observation, { kind: "present" }>;

export function bytesOf(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

/** Puts a text; gives its binding. */
export function putText({ world }: SourceSubject, name: string, text: string): Promise<SourceBinding> {
  return world.put(name, bytesOf(text));
}

/** Asks, and checks what holds for answers of every kind: one for each request, and each in one of the five forms. */
export async function observe(
  { source }: SourceSubject,
  requests: readonly ObserveRequest[],
  { signal, ...bounds }: Partial<ReadLimits> & { readonly signal?: AbortSignal } = {},
): Promise<readonly Observation[]> {
  const answers = await inTime(source.observe(requests, { ...ample, ...bounds }, signal), "An answer");
  assert.equal(answers.length, requests.length, "There is one answer for each request.");
  for (const answer of answers) checkForm(answer);
  return answers;
}

export async function look(
  subject: SourceSubject,
  binding: SourceBinding,
  known?: ObserveRequest["known"],
): Promise<Observation> {
  const [answer] = await observe(subject, [known === undefined ? { binding } : { binding, known }]);
  assert.ok(answer);
  return answer;
}

/** A look that must find the thing. */
export async function find(
  subject: SourceSubject,
  binding: SourceBinding,
  known?: ObserveRequest["known"],
): Promise<Present> {
  return present(await look(subject, binding, known));
}

export function present(answer: Observation | undefined): Present {
  if (answer?.kind !== "present") assert.fail(`The thing is there and was not said to be changed: ${toldOf(answer)}`);
  return answer;
}

export function textOf(answer: Observation | undefined): string {
  const { content } = present(answer);
  if (!("text" in content)) assert.fail(`The text was withheld as ${content.withheld}.`);
  return content.text;
}

export function kindsOf(answers: readonly Observation[]): readonly string[] {
  return answers.map(({ kind }) => kind);
}

/** For messages: never with content. */
export function toldOf(answer: Observation | undefined): string {
  return answer?.kind === "unreachable" ? `unreachable (${answer.reason})` : `${answer?.kind}`;
}

/** Laws wait for the source itself; this only ends a wait that would never end. */
export function inTime<T>(answer: Promise<T>, what: string): Promise<T> {
  return withDeadline(answer, limits.sourceWaitMs, () => {
    throw new assert.AssertionError({ message: `${what} did not come within ${limits.sourceWaitMs} ms.` });
  });
}

function checkText({ text, digest }: { readonly text: string; readonly digest?: string }): void {
  assert.ok(text.isWellFormed(), "Text is well-formed.");
  assert.ok(digest === undefined || digest === sha256(text), "A digest is the SHA-256 of the text.");
}

function checkForm(answer: Observation): void {
  switch (answer.kind) {
    case "present": {
      const { content, sourceHash, state, redactions = 0 } = answer;
      const forms = Object.keys(content).sort().join();
      assert.ok(["text", "digest,text", "withheld"].includes(forms), "Content is a text or a reason, not both.");
      if ("text" in content) checkText(content);
      else assert.ok(["binary", "too_large"].includes(content.withheld), "Content is withheld for a known reason.");
      assert.ok(sourceHash.length >= 1 && sourceHash.length <= modelLimits.nameCharsMax, "A hash can be stored.");
      assert.ok(Number.isSafeInteger(redactions) && redactions >= 0, "Redactions are a count.");
      assert.ok([undefined, sourceHash].includes(state.sourceHash), "The state is of this answer.");
      assert.equal(state.absent, undefined, "The state of a thing that is there is not absent.");
      return;
    }
    case "unchanged":
      assert.equal(answer.state.absent, undefined, "The state of a thing that is there is not absent.");
      return;
    case "unreachable":
      assert.match(answer.reason, /^[^\r\n]{1,160}$/u, "A reason is a few words on one line.");
      return;
    default:
      assert.ok(["exists", "absent"].includes(answer.kind), "An answer is of one of five kinds.");
  }
}
