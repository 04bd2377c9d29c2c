import type { CapabilityGrant } from "../bundle/policy-bundle.ts";
import { plainProgram } from "../bundle/program-name.ts";
import { programsOf } from "../shell/programs.ts";
import type { DenialReason } from "./verdict.ts";

export type CommandRules = (command: string | undefined) => DenialReason | undefined;

/** Undefined where the grant has no rules for commands: then no text of a shell is read at all. */
export function commandRules({ allowedCommands, blockedCommands = [] }: CapabilityGrant): CommandRules | undefined {
  if (allowedCommands === undefined && blockedCommands.length === 0) return undefined;
  const allowed = allowedCommands && new Set(allowedCommands);
  const blocked = new Set(blockedCommands.map(plainProgram));
  return (command) => {
    if (command === undefined) return "scope_unknown";
    const programs = programsOf(command);
    if (programs === undefined) return "command_not_understood";
    if (programs.some((program) => blocked.has(plainProgram(program)))) return "command_blocked";
    return allowed === undefined || programs.every((program) => allowed.has(program))
      ? undefined
      : "command_not_allowed";
  };
}
