import type { PiVersion } from "@cm/scripted-models/real-pi";
import type { Scenario } from "./side-by-side.ts";

type Given = Omit<Scenario, "version" | "format"> & Partial<Pick<Scenario, "format">>;

/** That of every run. */
const short: Given = { title: "short", prompts: 1, steps: 6 };

const campaign: readonly Given[] = [
  { title: "compacted, then closed and resumed", prompts: 5, between: { 3: ["compact"], 4: ["resume"] } },
  { title: "without its database at the start", prompts: 3, awayFor: 2 },
  { title: "of three prompts", prompts: 3, format: "openai-completions" },
  { title: "long", prompts: 8 },
  { title: "long, with OpenAI", prompts: 8, format: "openai-completions", preset: "lean" },
  { title: "longer than its window", prompts: 8, contextWindow: 72_000 },
  {
    title: "longer than its window, by its settings",
    prompts: 6,
    format: "openai-completions",
    settings: { compaction: { enabled: true, reserveTokens: 140_000, keepRecentTokens: 12_000 } },
  },
  { title: "compacted twice", prompts: 6, between: { 3: ["compact"], 5: ["compact"] }, summaryChars: 3_500 },
  { title: "killed and resumed", prompts: 5, between: { 2: ["kill"], 4: ["kill"] } },
  { title: "closed and resumed", prompts: 5, format: "openai-completions", between: { 3: ["resume"] } },
  { title: "switched to another model and back", prompts: 5, between: { 2: ["other model"], 4: ["first model"] } },
  { title: "switched off and on again", prompts: 6, between: { 3: ["off"], 4: ["on"] } },
  { title: "played on a busy machine", prompts: 5, isBusy: true },
  { title: "without its database at the start, on a busy machine", prompts: 3, awayFor: 2, isBusy: true },
  { title: "without its database for long", prompts: 5, awayFor: 4 },
];

/** All of them in a campaign (`CM_CAMPAIGN=1`). */
export function scenariosOf(version: PiVersion): readonly Scenario[] {
  const given = process.env.CM_CAMPAIGN === "1" ? [short, ...campaign] : [short];
  return given.map((each) => ({ format: "anthropic-messages", ...each, version }));
}
