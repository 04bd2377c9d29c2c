import type { PiHome } from "../home/environment.ts";
import { providerOf, scriptedModel } from "../home/models-json.ts";
import type { PiCommand } from "../pi/pi-versions.ts";
import type { WireFormat } from "../wire/formats.ts";

/** Which Pi, and where it runs. */
export interface PiPlace {
  readonly pi: PiCommand;
  readonly home: PiHome;
  /** More environment, such as `CM_OFF`. */
  readonly environment?: Readonly<Record<string, string>>;
  /** The Node that runs it. Default: the one that runs the test. */
  readonly node?: string;
  /** For each wait. Default: 60 s. */
  readonly waitMs?: number;
}

/** How a Pi is run, whatever the mode. */
export interface PiRun extends PiPlace {
  readonly format: WireFormat;
  /** Files or package folders, loaded with `-e` in this order. */
  readonly extensions?: readonly string[];
  /** More arguments, such as `["--continue"]` or `["--tools", "read,ls"]`. */
  readonly args?: readonly string[];
  /** Whether Pi also loads extensions that are installed in its home. Default: false. */
  readonly installed?: boolean;
}

/** The arguments of a run; those of its mode come behind. */
export function argsOf({ pi, home, format, extensions = [], args = [], installed = false }: PiRun): string[] {
  return [
    pi.cli,
    ...["--offline", "--no-skills", "--no-prompt-templates", "--no-context-files"],
    ...(installed ? [] : ["--no-extensions"]),
    ...["--session-dir", home.sessionDir, "--model", `${providerOf(format)}/${scriptedModel}`],
    ...extensions.flatMap((path) => ["-e", path]),
    ...args,
  ];
}
