import { CmError, defaultPrices, type Prices } from "@cm/object-model";
import { layouts } from "@cm/render";
import { InvalidArgumentError } from "commander";
import type { StoreKind } from "../replay/databases.ts";

export type PolicyName = keyof typeof layouts;

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

export const policyNames = Object.keys(layouts) as readonly PolicyName[];

/** `--policy p,q` */
export function parsePolicies(value: string): readonly PolicyName[] {
  const names = value.split(",").map((name) => name.trim());
  const known = names.filter((name): name is PolicyName => (policyNames as readonly string[]).includes(name));
  if (known.length < names.length) throw new InvalidArgumentError(`Known policies: ${policyNames.join(", ")}.`);
  return [...new Set(known)];
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
