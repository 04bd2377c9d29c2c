import type { IncomingResult, IncomingUser, StepRecord } from "@cm/context-log";
import { canonicalJson, defined, nonEmpty, sha256 } from "@cm/object-model";
import type { SentMessage, SentRequest, StoredCall, StoredSession, StoredStep } from "./harness-run.ts";

/** A step of the simple host: enough to make its request again. */
export interface SimpleStep {
  readonly n: number;
  readonly parent: number | undefined;
  readonly said: readonly IncomingUser[];
  readonly record: StepRecord;
  /** The id of each result's object. */
  readonly objects: readonly string[];
  /** Outputs of so many steps at the start of its path were left out of its request. */
  readonly leftOut: number;
  readonly hash: string;
}

/** A session of the simple host, as its store has it. */
export class SimpleSession {
  readonly steps: SimpleStep[] = [];
  head: number | undefined;
  pending: readonly IncomingUser[] = [];

  /** The steps that lead to one. */
  pathTo(n: number | undefined): readonly SimpleStep[] {
    const step = n === undefined ? undefined : this.steps[n];
    return step === undefined ? [] : [...this.pathTo(step.parent), step];
  }

  stored(): StoredSession {
    const pending = this.pending.map(({ text }) => text);
    return {
      steps: this.steps.map((step) => this.#storedStep(step)),
      path: this.pathTo(this.head).map(({ n }) => n),
      pending,
    };
  }

  #storedStep({ n, parent, said, record, objects, leftOut, hash }: SimpleStep): StoredStep {
    const { answer, results = [], usage } = record;
    const path = this.pathTo(parent);
    const prompt = requestOf(path, said, leftOut);
    const { thinking = [], calls = [], text } = answer;
    return {
      n,
      said: said.map((one) => one.text),
      answer: { text, thinking },
      calls: calls.map(({ callId, tool, args }, at) => {
        const [result, id] = [results[at], objects[at]];
        const isKnown = result !== undefined && id !== undefined;
        return { callId, tool, object: isKnown ? storedCall(id, { tool, args }, result) : undefined };
      }),
      late: [],
      ...defined({ usage }),
      folded: leftOut > (path.at(-1)?.leftOut ?? 0),
      promptHash: hash,
      prompt: { ...prompt, hash: hashOf(prompt), complete: true },
    };
  }
}

function storedCall(
  id: string,
  { tool, args }: Pick<StoredCall, "tool" | "args">,
  { text, failed, attachments = [] }: IncomingResult,
): StoredCall {
  return { id, tool, args, failed, text, images: attachments.map(({ data }) => sha256(data)) };
}

export const hashOf = ({ system, messages }: SentRequest): string =>
  sha256(canonicalJson([system, messages.map((message) => JSON.stringify(message))]));

/** The log as it is; of its first steps the outputs are left out. */
export function requestOf(path: readonly SimpleStep[], said: readonly IncomingUser[], leftOut: number): SentRequest {
  const messages = path.flatMap(({ said: before, record }, at) => [
    ...before.map(userMessage),
    answerMessage(record),
    ...(record.results ?? []).map((result) => resultMessage(result, at < leftOut)),
  ]);
  return { system: "You are a scripted agent.", messages: [...messages, ...said.map(userMessage)] };
}

function userMessage({ text, attachments = [] }: IncomingUser): SentMessage {
  return { role: "user", text, ...pictures(attachments) };
}

function answerMessage({ answer: { text, thinking = [], calls = [] } }: StepRecord): SentMessage {
  return {
    role: "assistant",
    text,
    ...nonEmpty({ thinking, calls }),
  };
}

function resultMessage({ callId, text, failed, attachments = [] }: IncomingResult, isLeftOut: boolean): SentMessage {
  const output = text ?? "[no output is known]";
  return {
    role: "tool",
    callId,
    failed,
    text: isLeftOut ? "[left out]" : output,
    ...pictures(isLeftOut ? [] : attachments),
  };
}

function pictures(attachments: NonNullable<IncomingUser["attachments"]>): Pick<SentMessage, "images"> {
  return attachments.length === 0 ? {} : { images: attachments.map(({ data }) => sha256(data)) };
}
