import type { RecordedEvent, RecordingContent } from "../recording.ts";
import { actionTool } from "./action.ts";
import type { Trajectory, TrajectoryStep } from "./trajectory.ts";

/** The messages before the first step, then each step as a model call with its result. */
export function trajectoryRecording({ trajectory, history }: Trajectory): RecordingContent {
  const steps = trajectory.filter((step) => step !== null);
  const said = history.filter((message) => message !== null);
  const answered = said.findIndex(({ role }) => role === "assistant");
  const asked = said.slice(0, answered < 0 ? undefined : answered);
  const bad = trajectory.length - steps.length;
  return {
    sessionId: undefined,
    cwd: steps.map(({ state }) => state?.working_dir).find((folder) => folder?.startsWith("/")),
    systemPrompt: asked.find(({ role }) => role === "system")?.content ?? "",
    events: [
      ...asked.filter(({ role }) => role !== "system").map(({ content }) => userEvent(content)),
      ...steps.flatMap((step, place) => stepEvents(step, place, openFileIn(steps[place - 1]))),
    ],
    skipped: { count: 0, first: [] },
    warnings: bad === 0 ? [] : [`${bad === 1 ? "1 step is" : `${bad} steps are`} unreadable and left out.`],
  };
}

function stepEvents(step: TrajectoryStep, place: number, openFile: string | undefined): readonly RecordedEvent[] {
  const { action, observation, thought, response = "" } = step;
  const answer = { kind: "assistant" as const, text: thought ?? response, thinking: [] };
  // Without an action the agent is told what it did wrong.
  if (action.trim() === "") return [{ ...answer, calls: [] }, ...(observation === "" ? [] : [userEvent(observation)])];
  const id = `call-${place + 1}`;
  const tool = actionTool(action, openFile);
  return [
    { ...answer, calls: [{ id, ...tool }] },
    {
      ...{ kind: "result", callId: id, tool: tool.name, text: observation, attachments: [] },
      failed: refusal.test(observation),
    },
  ];
}

/** How its editor begins where it changed nothing. */
const refusal = /^(Your proposed edit has introduced new syntax error|Text not found|No replacement was performed)/;

function userEvent(text: string): RecordedEvent {
  return { kind: "user", text, attachments: [] };
}

function openFileIn(step: TrajectoryStep | undefined): string | undefined {
  const file = step?.state?.open_file;
  return file === undefined || file === "" || file === "n/a" ? undefined : file;
}
