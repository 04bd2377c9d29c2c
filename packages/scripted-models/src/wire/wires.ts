import { anthropic } from "./anthropic/ask-anthropic.ts";
import { openai } from "./completions/ask-completions.ts";
import type { ModelAnswer } from "./wire.ts";
import { wireError } from "./wire-error.ts";

export const wires = { openai, anthropic } as const;

export type Protocol = keyof typeof wires;

export const isProtocol = (name: string): name is Protocol => Object.hasOwn(wires, name);

/** @throws CmError `live/bad-answer`; the answer itself is not in it */
export function readAnswer(protocol: Protocol, json: unknown): ModelAnswer {
  try {
    const answer = wires[protocol].answer(json);
    const ids = answer.message.calls?.map(({ callId }) => callId) ?? [];
    if (new Set(ids).size < ids.length) throw new Error("two calls with one id");
    return answer;
  } catch {
    throw wireError("live/bad-answer", `The endpoint's answer is not what the protocol ${protocol} says.`);
  }
}
