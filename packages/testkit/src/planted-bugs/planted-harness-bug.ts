import type { HarnessConversation } from "../harness/conversation.ts";
import type { HarnessFactory } from "../harness/harness-case.ts";
import type { HarnessRun, SentMessage, SentRequest, StoredSession, StoredStep } from "../harness/harness-run.ts";
import { openSimpleHarness } from "../harness/simple-harness.ts";

/** A harness with one fault, and the cases that are meant to find it. */
export interface PlantedHarnessBug {
  /** What it does wrong. */
  readonly name: string;
  readonly caughtBy: readonly string[];
  readonly open: HarnessFactory;
}

/** The simple harness with each of its runs changed, to what a harness with the fault would show. */
export function running(
  name: string,
  caughtBy: readonly string[],
  change: (run: HarnessRun, conversation: HarnessConversation) => HarnessRun,
): PlantedHarnessBug {
  const open: HarnessFactory = () => {
    const simple = openSimpleHarness();
    return { ...simple, play: async (conversation) => change(await simple.play(conversation), conversation) };
  };
  return { name, caughtBy, open };
}

/** With the messages of each request changed. */
export const sending = (
  name: string,
  caughtBy: readonly string[],
  change: (
    messages: readonly SentMessage[],
    place: number,
    conversation: HarnessConversation,
  ) => readonly SentMessage[],
): PlantedHarnessBug =>
  running(name, caughtBy, (run, conversation) => ({
    ...run,
    requests: run.requests.map(
      (request, place): SentRequest => ({
        ...request,
        messages: change(request.messages, place, conversation),
      }),
    ),
  }));

/** With what is stored changed. */
export const storing = (
  name: string,
  caughtBy: readonly string[],
  change: (stored: StoredSession, conversation: HarnessConversation) => StoredSession,
): PlantedHarnessBug =>
  running(name, caughtBy, ({ requests, stored }, conversation) => ({
    requests,
    stored: stored === undefined ? undefined : change(stored, conversation),
  }));

/** With each step changed. */
export const recording = (
  name: string,
  caughtBy: readonly string[],
  change: (step: StoredStep) => StoredStep,
): PlantedHarnessBug => storing(name, caughtBy, (stored) => ({ ...stored, steps: stored.steps.map(change) }));

type Call = StoredStep["calls"][number];

/** With each recorded call changed. */
export const recordingCalls = (
  name: string,
  caughtBy: readonly string[],
  change: (call: Call) => Call,
): PlantedHarnessBug => recording(name, caughtBy, (step) => ({ ...step, calls: step.calls.map(change) }));
