import {
  createPiHome,
  extensionPath,
  type PiHome,
  type PiHomeOptions,
  type PiRun,
  type PiVersion,
  type Play,
  type PlayOptions,
  preparePi,
  probePath,
  type Script,
  type ScriptedAnswer,
  type ScriptedModel,
} from "@cm/scripted-models/real-pi";

export interface StageOptions extends Omit<PiHomeOptions, "play"> {
  readonly version?: PiVersion;
  readonly format?: PiRun["format"];
  readonly extensions?: readonly string[];
  /** What the model answers to requests for summaries. */
  readonly apart?: PlayOptions["apart"];
}

export interface Stage {
  readonly play: Play;
  readonly home: PiHome;
  readonly run: PiRun;
}

/** A Pi with our extension, in a home of its own, whose model plays a script. */
export async function stage(model: ScriptedModel, script: Script, options: StageOptions = {}): Promise<Stage> {
  const { version = "0.87.1", format = "anthropic-messages", extensions = [extensionPath(), probePath] } = options;
  const play = model.play(script, options.apart === undefined ? {} : { apart: options.apart });
  const home = await createPiHome({ ...options, play });
  return { play, home, run: { pi: await preparePi(version), home, format, extensions } };
}

export const reads = (path: string): ScriptedAnswer => ({ calls: [{ name: "read", args: { path } }] });

export const compactions = async (home: PiHome) =>
  (await home.sessionEntries()).filter(({ type }) => type === "compaction");
