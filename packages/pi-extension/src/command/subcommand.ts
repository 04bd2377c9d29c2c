import type { CommandHost } from "./command-host.ts";

/** One word after `/cm`. */
export interface Subcommand {
  readonly name: string;
  /** How its argument is written in the help, such as `ID`; absent where it takes none. */
  readonly argument?: string;
  /** Its argument is an object, so that aliases are proposed. */
  readonly takesObject?: boolean;
  readonly description: string;
  /** What people read. Paths below `cwd` are shown relative to it. @throws CmError where it cannot be done */
  run(host: CommandHost, argument: string, cwd: string): Promise<string>;
}
