import { defined } from "@cm/object-model";
import {
  type CapturedRequest,
  type ScriptedAnswer as GivenAnswer,
  type JsonObject,
  startScriptedModel,
} from "@cm/scripted-models";
import type { Script } from "./script.ts";

export interface ScriptedServer {
  readonly url: string;
  close(): Promise<void>;
}

export interface ScriptedServerOptions {
  readonly scripts: readonly Script[];
  /** Each request must contain it. */
  readonly key: string;
  /** Bodies that were answered, for tests. */
  readonly onBody?: (path: string, body: string) => void;
}

/**
 * Plays the model on this machine's loopback, in each format: to the n-th request of a task it says the n-th answer of the
 * task's script, whatever the tools gave. What a provider would refuse is refused.
 */
export async function startScriptedServer({ scripts, key, onBody }: ScriptedServerOptions): Promise<ScriptedServer> {
  const model = await startScriptedModel();
  const answer = (request: CapturedRequest): GivenAnswer => {
    onBody?.(request.path, JSON.stringify(request.body));
    return answerTo(request, scripts);
  };
  const play = model.play(answer, { key, answersAs: "scripted", strict: true, conversations: true, apart: answer });
  return { url: `${play.url}/v1`, close: () => model.close() };
}

function answerTo({ sent: { messages } }: CapturedRequest, scripts: readonly Script[]): GivenAnswer {
  const said = messages.flatMap(({ role, blocks }) =>
    role === "user" ? blocks.map((block) => (block.kind === "text" ? block.text : "")) : [],
  );
  const script = scripts.find(({ title }) => said.some((text) => text.includes(title)));
  if (script === undefined) return refusal("There is no script for this task.");
  const answers = messages.filter(({ role }) => role === "assistant").length;
  const answer = script.answers[answers];
  if (answer === undefined) return refusal("The script has ended.");
  const { text, thinking, calls } = answer;
  return {
    text,
    ...defined({ thinking }),
    calls: calls.map(({ tool, args }, index) => ({
      id: `call_${answers}_${index}`,
      name: tool,
      args: args as JsonObject,
    })),
  };
}

const refusal = (message: string): GivenAnswer => ({
  error: { status: 400, body: { type: "error", error: { type: "invalid_request_error", message } } },
});
