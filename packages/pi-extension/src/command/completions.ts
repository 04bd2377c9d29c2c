import type { LeveledObject } from "@cm/context-log";
import { visiblePath } from "@cm/terminal-text";
import { allObjects } from "./all-objects.ts";
import type { CommandHost } from "./command-host.ts";
import { commandLimits } from "./command-limits.ts";
import { filterWords } from "./objects-report.ts";
import { subcommands } from "./subcommands.ts";

/** One proposal; `value` replaces everything after `/cm `. */
export interface Proposal {
  readonly value: string;
  readonly label: string;
  readonly description?: string;
}

/**
 * Proposals for what was typed after `/cm `. Never fails: where nothing can be proposed there is none. What is typed to
 * its end gets none either, since Pi's Enter takes a proposal first and would run the command only when pressed again.
 */
export async function completions(host: CommandHost, typed: string): Promise<Proposal[]> {
  const proposals = await proposalsFor(host, typed);
  return proposals.some(({ value }) => value === typed) ? [] : proposals;
}

async function proposalsFor(host: CommandHost, typed: string): Promise<Proposal[]> {
  const [, name, word] = /^(\S*)\s+(?:.*\s)?(\S*)$/.exec(typed) ?? [];
  if (name === undefined || word === undefined) return wordProposals(typed.trim());
  const before = typed.slice(0, typed.length - word.length);
  if (name === "objects") {
    const words = filterWords.filter((filter) => filter.startsWith(word));
    return words.map((filter) => ({ value: `${before}${filter}`, label: filter }));
  }
  const takesObject = subcommands.find((subcommand) => subcommand.name === name)?.takesObject === true;
  return takesObject && before.trim() === name ? objectProposals(host, before, word) : [];
}

function wordProposals(start: string): Proposal[] {
  return subcommands
    .filter(({ name }) => name.startsWith(start))
    .map(({ name, description }) => ({ value: name, label: name, description }));
}

/** By alias, or by a part of the name; what came last first. */
async function objectProposals(host: CommandHost, before: string, word: string): Promise<Proposal[]> {
  const managed = host.isEnabled() ? host.managed() : undefined;
  if (managed?.health.state !== "ok") return [];
  try {
    // A path in full is no proposal, but typed to its end all the same.
    if (word !== "" && (await managed.show(word)) !== undefined) return [];
    const { objects } = await allObjects(managed);
    return objects
      .toReversed()
      .filter((object) => object.alias.startsWith(word) || nameOf(object).includes(word))
      .slice(0, commandLimits.proposalsMax)
      .map((object) => ({
        value: `${before}${object.alias}`,
        label: object.alias,
        description: visiblePath(nameOf(object), commandLimits.proposalCharsMax),
      }));
  } catch {
    return [];
  }
}

function nameOf({ path, tool = "", argsDisplay = "" }: LeveledObject): string {
  return path ?? `${tool} ${argsDisplay}`.trim();
}
