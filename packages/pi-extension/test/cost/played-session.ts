import {
  billed,
  type CapturedRequest,
  checkStructure,
  createPiHome,
  extensionPath,
  preparePi,
  runPrint,
  type ScriptedModel,
  type WireFormat,
} from "@cm/scripted-models/real-pi";
import type { PlannedSession } from "./planned-session.ts";

export interface PlayedAs {
  readonly model: ScriptedModel;
  readonly format: Extract<WireFormat, "anthropic-messages" | "openai-completions">;
  /** Pi alone where it is undefined. */
  readonly preset?: "careful" | "default" | "lean";
}

export interface PlayedSession {
  readonly requests: readonly CapturedRequest[];
  /** Input of all requests in tokens of plain input. */
  readonly billed: number;
  /** Of the newest request, in tokens. */
  readonly lastTokens: number;
  /** What providers would refuse: one sentence each. */
  readonly faults: readonly string[];
  /** By the number of the answer: whether the request before it shows each line that the answer replaces. */
  readonly shown: ReadonlyMap<number, boolean>;
}

/** Marks cost more to write than plain input; where providers cache by themselves nothing does. */
const prices = {
  "anthropic-messages": { read: 0.1, write: 1.25 },
  "openai-completions": { read: 0.1, write: 1 },
} as const;

/** Plays a session with a real Pi in print mode. @throws PiFailure; Error where Pi or its model did not come to the end */
export async function playSession(plan: PlannedSession, { model, format, preset }: PlayedAs): Promise<PlayedSession> {
  const play = model.play(plan.answers);
  const home = await createPiHome({ play, files: plan.files });
  try {
    const ours = preset === undefined ? {} : { extensions: [extensionPath()], environment: { CM_PRESET: preset } };
    const end = await runPrint({ pi: await preparePi("0.87.1"), home, format, ...ours }, ...plan.prompts);
    const { requests } = play;
    if (end.code !== 0 || requests.length !== plan.answers.length || play.beyond + play.apart.length > 0) {
      throw new Error(`Pi ended with ${end.code} after ${requests.length} requests. It said: ${end.stderr}`);
    }
    const { input = 0, cacheRead = 0, cacheWrite = 0 } = requests.at(-1)?.tokens ?? {};
    return {
      requests,
      billed: billed(requests, prices[format]),
      lastTokens: input + cacheRead + cacheWrite,
      faults: requests.flatMap(checkStructure),
      shown: new Map([...plan.needed].map(([number, text]) => [number, shows(requests[number], text)])),
    };
  } finally {
    await home.remove();
  }
}

/**
 * Whether the lines of a text stand in what tools said and the prompt has. A changed file that was read again may stand as
 * an earlier read and its changes since. What the model wrote itself does not count.
 */
function shows(request: CapturedRequest | undefined, text: string): boolean {
  const said = request?.sent.messages.filter(({ role }) => role !== "assistant").flatMap(({ blocks }) => blocks) ?? [];
  const texts = said.flatMap((block) => (block.kind === "result" || block.kind === "text" ? [block.text] : []));
  return text.split("\n").every((line) => texts.some((shown) => shown.includes(line)));
}
