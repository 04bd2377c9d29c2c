import assert from "node:assert/strict";
import { defined, nonEmpty, sha256 } from "@cm/object-model";
import type { HarnessConversation, HarnessImage, HarnessTurn, ScriptedAnswer, ScriptedCall } from "./conversation.ts";
import type { HarnessRun, SentMessage, SentRequest, StoredStep } from "./harness-run.ts";
import { probeResult, probeTool } from "./probe-tool.ts";

/** An answer of a script, with what has to stand before it. */
export interface ExpectedAnswer {
  readonly answer: ScriptedAnswer;
  readonly turn: HarnessTurn;
  /** Its place among all answers of the conversation: steps are numbered by it. */
  readonly n: number;
  /** The requests that ask for it, by their places in the run; the last one was answered. */
  readonly asks: readonly number[];
  /** What was said by the user since the answer before. */
  readonly said: readonly string[];
  /** The conversation as the agent alone would send it. Outputs that only the harness knows are undefined. */
  readonly history: readonly PlainMessage[];
}

export type PlainMessage = Omit<SentMessage, "text"> & { readonly text: string | undefined };

/** Every answer of a conversation, in the order in which it is given. */
export function expectedAnswers({ turns }: HarnessConversation): readonly ExpectedAnswer[] {
  const expected: ExpectedAnswer[] = [];
  const afterTurn: (readonly PlainMessage[])[] = [];
  let history: readonly PlainMessage[] = [];
  let requests = 0;
  for (const turn of turns) {
    if (turn.after !== undefined) history = afterTurn[turn.after] ?? [];
    const prompt = { role: "user" as const, text: turn.prompt, ...pictures(turn.images ?? []) };
    history = [...history, prompt];
    let said = [turn.prompt];
    for (const answer of turn.answers) {
      const asks = answer.failsFirst === true ? [requests, requests + 1] : [requests];
      requests += asks.length;
      expected.push({ answer, turn, n: expected.length, asks, said, history });
      said = answer.steer === undefined ? [] : [answer.steer];
      history = [...history, ...messagesOf(answer)];
    }
    afterTurn.push(history);
  }
  return expected;
}

/** An answer with its results, and what the user said meanwhile. */
export function messagesOf({ text, thinking, calls = [], steer }: ScriptedAnswer): readonly PlainMessage[] {
  return [
    {
      role: "assistant",
      text,
      ...defined({ thinking }),
      ...nonEmpty({ calls }),
    },
    ...calls.map((call): PlainMessage => {
      const { text: output, failed, images } = outputOf(call);
      return { role: "tool", callId: call.callId, text: output, failed, ...pictures(images) };
    }),
    ...(steer === undefined ? [] : [{ role: "user" as const, text: steer }]),
  ];
}

/** What a call gives; the text is undefined where only the harness knows how it says it. */
export function outputOf({ tool, args }: ScriptedCall): {
  readonly text: string | undefined;
  readonly failed: boolean;
  readonly images: readonly HarnessImage[];
} {
  const isHarnessOwn = tool !== probeTool || args.block !== undefined || args.hang === true;
  return isHarnessOwn ? { text: undefined, failed: true, images: [] } : probeResult(args);
}

export const hashOf = ({ base64 }: HarnessImage): string => sha256(Buffer.from(base64, "base64"));

function pictures(images: readonly HarnessImage[]): { readonly images?: readonly string[] } {
  return images.length === 0 ? {} : { images: images.map(hashOf) };
}

/** The request that an answer was given to. */
export function requestOf({ requests }: HarnessRun, { asks, n }: ExpectedAnswer): SentRequest {
  return requests[asks.at(-1) ?? -1] ?? assert.fail(`The request of answer ${n} is missing.`);
}

export function stepOf({ stored }: HarnessRun, { n }: ExpectedAnswer): StoredStep {
  return stored?.steps[n] ?? assert.fail(`Answer ${n} is no step.`);
}
