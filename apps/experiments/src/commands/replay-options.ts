import { CmError, defaultPrices, type Prices } from "@cm/object-model";
import { InvalidArgumentError } from "commander";
import { type PolicyName, policiesNamed, policyGroups, policyNames } from "../policies/named-policies.ts";
import type { StoreKind } from "../replay/databases.ts";

export interface ReplayCommandOptions {
  readonly policy: readonly PolicyName[];
  readonly store: StoreKind;
  readonly read: number;
  readonly write: number;
  readonly out: string;
  readonly dump?: string;
  readonly json?: true;
  readonly path?: true;
  readonly shared?: true;
  readonly root?: string;
}

const choices = [...policyNames, ...Object.keys(policyGroups)].join(", ");

/** `--policy p,q`: names of policies and of groups of them */
export function parsePolicies(value: string): readonly PolicyName[] {
  const named = value.split(",").map((name) => policiesNamed(name.trim()));
  const known = named.filter((policies) => policies !== undefined);
  if (known.length < named.length) throw new InvalidArgumentError(`Known policies: ${choices}.`);
  return [...new Set(known.flat())];
}

/** `--read`, `--write` */
export function parsePrice(value: string): number {
  const price = Number(value);
  if (value.trim() === "" || !Number.isFinite(price) || price < 0)
    throw new InvalidArgumentError("A price is a number from 0 on.");
  return price;
}

export function pricesOf({ read, write }: Pick<ReplayCommandOptions, "read" | "write">): Prices {
  return { ...defaultPrices, read, write };
}

/** @throws CmError `replay/usage` for options that do not go together */
export function checkTogether(files: readonly string[], { dump, policy, root }: ReplayCommandOptions): void {
  if (root !== undefined && files.length !== 1) {
    throw new CmError("replay/usage", "--root says where the files of one session are: give one FILE.");
  }
  if (dump !== undefined && (files.length !== 1 || policy.length !== 1)) {
    throw new CmError(
      "replay/usage",
      "--dump writes the requests of one session under one policy: give one FILE and --policy NAME.",
    );
  }
}
