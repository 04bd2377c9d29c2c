import {
  type CapturedRequest,
  createPiHome,
  extensionPath,
  type PiHome,
  type PiRun,
  type PiVersion,
  type Play,
  preparePi,
  probePath,
  type Script,
  type ScriptedModel,
} from "../../../../tools/real-pi/real-pi.ts";

/** A home of Pi with the extension, and the model that its runs ask. */
export interface Stage {
  readonly play: Play;
  readonly home: PiHome;
  readonly run: PiRun;
}

export interface StageOptions {
  readonly version?: PiVersion;
  readonly format?: PiRun["format"];
  readonly files?: Readonly<Record<string, string>>;
  readonly environment?: Readonly<Record<string, string>>;
}

export async function stage(model: ScriptedModel, script: Script, options: StageOptions = {}): Promise<Stage> {
  const { version = "0.87.1", format = "anthropic-messages", files = {}, environment = {} } = options;
  const play = model.play(script);
  const home = await createPiHome({ play, files });
  const pi = await preparePi(version);
  return { play, home, run: { pi, home, format, extensions: [extensionPath(), probePath], environment } };
}

/** All that a request shows the model, in order. */
export function shownText(request: CapturedRequest | undefined): string {
  if (request === undefined) throw new Error("There was no such request.");
  return request.sent.messages
    .flatMap(({ blocks }) => blocks.map((block) => ("text" in block ? block.text : "args" in block ? block.args : "")))
    .join("\n");
}

/** A file's text, long enough to be told from what stands around it. */
export const textOf = (name: string, lines = 40): string =>
  Array.from({ length: lines }, (_, line) => `${name} line ${line}: value ${line * 7} of ${name}`).join("\n");
