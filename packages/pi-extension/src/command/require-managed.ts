import { CmError } from "@cm/object-model";
import type { Managed } from "../managed/managed.ts";
import type { CommandHost } from "./command-host.ts";

/** @throws CmError `pi/unavailable` where nothing is managed */
export function requireManaged(host: CommandHost): Managed {
  const managed = host.isEnabled() ? host.managed() : undefined;
  if (managed !== undefined) return managed;
  throw new CmError("pi/unavailable", "The context manager is off; /cm on brings it back.");
}

/** @throws CmError `pi/invalid-input` */
export function namedObject(argument: string, usage: string): string {
  if (argument.endsWith(".input")) {
    const [call] = argument.split(".input");
    throw new CmError(
      "pi/invalid-input",
      `${argument} are a call's arguments: they stand in Pi's transcript. ${call} is its output.`,
    );
  }
  if (argument !== "") return argument;
  throw new CmError("pi/invalid-input", `Name a file or output: ${usage}, such as f3; /cm objects lists them.`);
}
