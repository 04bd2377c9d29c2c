import { CmError } from "@cm/object-model";
import {
  type IdChoice,
  type Lifetime,
  type PolicyName,
  type PriceVector,
  policiesNamed,
  policyGroups,
  policyNames,
  type StoreKind,
} from "@cm/replay";
import type { GeneratedSession } from "@cm/replay/generated";
import { InvalidArgumentError } from "commander";
import { limits } from "../limits.ts";
import type { Half } from "../replay/halves.ts";
import { isOwnPolicy, type PolicyChoice } from "./own-policy.ts";
import { numericPrices } from "./price-options.ts";

export interface ReplayCommandOptions {
  readonly policy: readonly PolicyChoice[];
  readonly store: StoreKind;
  /** How layout `ssot` names objects. */
  readonly ids?: IdChoice;
  readonly read: number;
  readonly write: number;
  /** In place of `read` and `write`. */
  readonly prices?: readonly PriceVector[];
  readonly lifetime: Lifetime;
  readonly generated?: readonly GeneratedSession[];
  /** Only the recordings of one half. */
  readonly half?: Half;
  readonly out: string;
  readonly dump?: string;
  readonly json?: true;
  readonly path?: true;
  readonly shared?: true;
  readonly root?: string;
  readonly openSecretFiles?: readonly string[];
  readonly git?: readonly string[];
  readonly s3?: readonly string[];
  readonly container?: string;
}

const choices = [...policyNames, ...Object.keys(policyGroups)].join(", ");

/** `--policy p,q`: names of policies, of groups of them, and of files with one of a person's own */
export function parseChoices(value: string): readonly PolicyChoice[] {
  const choices = value.split(",").flatMap((text): readonly PolicyChoice[] => {
    const name = text.trim();
    return isOwnPolicy(name) ? [name] : parsePolicies(name);
  });
  return [...new Set(choices)];
}

/** Names of policies and of groups of them, with commas between them. */
export function parsePolicies(value: string): readonly PolicyName[] {
  const named = value.split(",").map((name) => policiesNamed(name.trim()));
  const known = named.filter((policies) => policies !== undefined);
  if (known.length < named.length) throw new InvalidArgumentError(`Known policies: ${choices}.`);
  return [...new Set(known.flat())];
}

/** The prices to replay at: the named ones, or those of `--read` and `--write`. */
export function pricesOf({ prices, read, write }: Pick<ReplayCommandOptions, "prices" | "read" | "write">) {
  return prices ?? [numericPrices(read, write)];
}

/** @throws CmError `replay/usage` for options that do not go together */
export function checkTogether(files: readonly string[], options: ReplayCommandOptions): void {
  const { dump, policy, prices = [], root, openSecretFiles, container, generated = [] } = options;
  const recordings = files.length + generated.length;
  if (recordings === 0) throw usage("Name a recorded session, or let one be made with --generated SEED:CALLS.");
  if (recordings > limits.filesMax) throw usage(`More than ${limits.filesMax} files at once.`);
  if (recordings * policy.length * Math.max(1, prices.length) > limits.runsMax)
    throw usage(`Files, policies and prices multiply to more than ${limits.runsMax} runs.`);
  if (openSecretFiles !== undefined && root === undefined)
    throw usage("--open-secret-files says which files below --root are looked at: give --root, too.");
  if (root !== undefined && recordings !== 1)
    throw usage("--root says where the files of one session are: give one FILE.");
  if (container !== undefined && (recordings !== 1 || root !== undefined))
    throw usage("--container says where the files of one session are: give one FILE, and no --root.");
  if (dump !== undefined && (recordings !== 1 || policy.length !== 1 || prices.length > 1)) {
    throw usage(
      "--dump writes the requests of one session under one policy: give one FILE, --policy NAME and one price.",
    );
  }
}

function usage(message: string): CmError<"replay/usage"> {
  return new CmError("replay/usage", message);
}
