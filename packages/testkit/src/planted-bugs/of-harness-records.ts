import { secret } from "../harness/conversations.ts";
import { type PlantedHarnessBug, recording, recordingCalls, running, storing } from "./planted-harness-bug.ts";

export const bugsOfHarnessRecords: readonly PlantedHarnessBug[] = [
  recording("Requests are recorded as they were planned, not as they were made.", ["HAR-006"], (step) => ({
    ...step,
    promptHash: step.promptHash.replaceAll("0", "1"),
  })),
  recordingCalls("Arguments are cut.", ["HAR-020"], (call) =>
    call.object === undefined ? call : { ...call, object: { ...call.object, args: {} } },
  ),
  recordingCalls("Failures are recorded as done.", ["HAR-020", "HAR-023", "HAR-024", "HAR-025"], (call) =>
    call.object === undefined ? call : { ...call, object: { ...call.object, failed: false } },
  ),
  recording("Calls are recorded in the order in which they ended.", ["HAR-020"], (step) => ({
    ...step,
    calls: step.calls.toReversed(),
  })),
  recordingCalls("Objects go by the ids of the provider.", ["HAR-021"], (call) =>
    call.object === undefined ? call : { ...call, object: { ...call.object, id: call.callId } },
  ),
  recordingCalls("Calls that no tool got are not recorded.", ["HAR-020", "HAR-023", "HAR-024"], (call) =>
    call.callId === "call_5" || call.callId === "call_7" ? { ...call, object: undefined } : call,
  ),
  recordingCalls("A call without a result has an empty one.", ["HAR-025"], (call) =>
    call.object?.text === null ? { ...call, object: { ...call.object, text: "" } } : call,
  ),
  storing("A step is written again where its answer was late.", ["HAR-030", "HAR-040", "HAR-041"], (stored) => ({
    ...stored,
    steps: [...stored.steps, ...stored.steps.slice(-1)],
  })),
  recording("Thinking is not recorded.", ["HAR-031"], (step) => ({
    ...step,
    answer: { ...step.answer, thinking: [] },
  })),
  recording("Tokens are not recorded.", ["HAR-034"], ({ usage: _usage, ...step }) => step),
  recordingCalls("Outputs are stored as they came.", ["HAR-035"], (call) => {
    const text = call.object?.text?.replace("[redacted:token]", secret) ?? null;
    return call.object === undefined ? call : { ...call, object: { ...call.object, text } };
  }),
  running("A new process begins a new session.", ["HAR-040", "HAR-041"], ({ requests, stored }, { turns }) => {
    const first = turns.findIndex(({ end }) => end === "restarted" || end === "killed");
    const lost = turns.slice(0, first + 1).flatMap(({ answers }) => answers).length;
    const steps = stored?.steps.slice(lost) ?? [];
    return { requests, stored: stored === undefined ? undefined : { ...stored, steps } };
  }),
  storing("Going back adds to the newest step.", ["HAR-043"], (stored) => ({
    ...stored,
    path: stored.steps.map(({ n }) => n),
  })),
  storing("What came while the store was away is lost.", ["HAR-051"], (stored, { turns }) => {
    const isAway = turns.some(({ store }) => store === "offline");
    return isAway ? { ...stored, steps: stored.steps.filter(({ n }) => n < 2 || n > 3) } : stored;
  }),
  storing("What came while it was switched off is never recorded.", ["HAR-053"], (stored, { turns }) => {
    const isDetached = turns.some(({ detached }) => detached === true);
    return isDetached ? { ...stored, steps: stored.steps.filter(({ n }) => n < 2 || n > 3) } : stored;
  }),
];
