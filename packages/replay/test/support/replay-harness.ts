import { defaultPrices } from "@cm/context-log";
import { createMemoryStore, type ObjectStore } from "@cm/object-model";
import type { RecordedEvent, RecordedResult, Recording } from "@cm/recordings";
import { layouts } from "@cm/render";
import { rebuildPrompt } from "@cm/session";
import { createRedactor } from "@cm/sources-fs";
import {
  type HarnessConversation,
  type HarnessImage,
  type HarnessTurn,
  type HarnessUnderTest,
  probeResult,
  probeTool,
  readStoredSession,
  type ScriptedAnswer,
  type ScriptedCall,
  type SentRequest,
  sentMessage,
} from "@cm/testkit";
import { absentFiles, rendererFor, replayRecording } from "../../src/index.ts";

/** The replay as a harness: the conversation is recorded first, as an agent alone would have, and then replayed. */
export const replayHarness: HarnessUnderTest = {
  name: "replay",
  // A recording is never killed, switched off or asked again.
  features: ["thinking", "images", "steering", "blocking", "usage", "elsewhere", "redaction", "log"],
  async play({ turns, elsewhere }: HarnessConversation) {
    const store = createMemoryStore();
    if (elsewhere !== undefined) await replayed(store, "elsewhere", elsewhere);
    const requests = await replayed(store, "main", turns);
    const answers = turns.flatMap((turn) => turn.answers);
    return {
      requests: requests.map((request, at) => {
        const usage = answers[at]?.usage;
        return usage === undefined ? request : { ...request, usage };
      }),
      stored: await readStoredSession(store, "main", (at) => rebuildPrompt(store, at, rendererFor)),
    };
  },
};

async function replayed(
  store: ObjectStore,
  session: string,
  turns: readonly HarnessTurn[],
): Promise<readonly SentRequest[]> {
  const recording = recordingOf(session, turns);
  const files = { ...absentFiles(recording), redact: createRedactor() };
  const requests: SentRequest[] = [];
  await replayRecording(recording, {
    ...{ store, session, files, layout: layouts.log, prices: defaultPrices },
    dump: { add: ({ system, messages }) => requests.push({ system, messages: messages.map(sentMessage) }) },
  });
  await files.close();
  return requests;
}

function recordingOf(id: string, turns: readonly HarnessTurn[]): Recording {
  const events = turns.flatMap(({ prompt, images = [], answers }): RecordedEvent[] => [
    { kind: "user", text: prompt, attachments: images.map(attachment) },
    ...answers.flatMap(eventsOf),
  ]);
  return { format: "pi", id, cwd: "/", systemPrompt: "You are recorded.", events, skippedLines: 0, warnings: [] };
}

function eventsOf({ text, thinking = [], calls = [], steer, usage }: ScriptedAnswer): RecordedEvent[] {
  return [
    {
      kind: "assistant",
      text,
      thinking: thinking.map(({ text: thought, signature = "" }) => ({ text: thought, signature })),
      calls: calls.map(({ callId, tool, args }) => ({ id: callId, name: tool, args })),
      ...(usage === undefined ? {} : { usage }),
    },
    ...calls.map(resultOf),
    ...(steer === undefined ? [] : [{ kind: "user" as const, text: steer, attachments: [] }]),
  ];
}

function resultOf({ callId, tool, args }: ScriptedCall): RecordedResult {
  const result = { kind: "result" as const, callId, tool, attachments: [] };
  if (tool !== probeTool) return { ...result, text: `Tool ${tool} not found`, failed: true };
  if (typeof args.block === "string") return { ...result, text: args.block, failed: true };
  const { text, failed, images } = probeResult(args);
  return { ...result, text, failed, attachments: images.map(attachment) };
}

const attachment = ({ mime, base64 }: HarnessImage) => ({ mime, data: Buffer.from(base64, "base64") });
