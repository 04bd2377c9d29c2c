import { z } from "zod";
import { parsedJson } from "../parsed-json.ts";

/** A file of SWE-agent is told by its steps; fields in a shape that is not their own count as absent. */
export type Trajectory = z.infer<typeof trajectory>;
export type TrajectoryStep = NonNullable<Trajectory["trajectory"][number]>;

const text = z.string().optional().catch(undefined);

/** Newer versions write an object, older ones the same as JSON. */
const state = z.object({ open_file: text, working_dir: text }).catch({ open_file: undefined, working_dir: undefined });
const stateOrJson = z.union([z.string().transform((json) => state.parse(parsedJson(json))), state]);

const step = z.object({
  action: z.string().catch(""),
  observation: z.string().catch(""),
  thought: text,
  response: text,
  state: stateOrJson.optional().catch(undefined),
});

const textPart = z.object({ type: z.literal("text"), text: z.string() });
const content = z
  .union([
    z.string(),
    z.array(textPart.nullable().catch(null)).transform((parts) => parts.map((part) => part?.text ?? "").join("\n")),
  ])
  .catch("");

const message = z.object({ role: z.string(), content });

const trajectory = z.object({
  trajectory: z.array(step.nullable().catch(null)),
  history: z.array(message.nullable().catch(null)).catch([]),
});

/** Undefined for a value that is no file of SWE-agent. */
export function toTrajectory(value: unknown): Trajectory | undefined {
  const read = trajectory.safeParse(value);
  const isOne = read.success && read.data.trajectory.some((one) => one !== null && one.action + one.observation !== "");
  return isOne ? read.data : undefined;
}
