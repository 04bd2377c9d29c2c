import { inject } from "vitest";
import { requirement } from "../../tools/requirement.ts";
import { whatIsMissing } from "../launch/prepare.ts";
import type {} from "./setup.ts";

/** Nodes that exist already, such as upstream's own server. They may hold anything, and others may write to them. */
const given = process.env.CM_XTDB_URL?.split(",");

/** The one that CM_XTDB_URL names needs nothing here. */
const missing = given === undefined ? whatIsMissing() : undefined;

/** How a client gets to the nodes. */
export interface NodeAddress {
  readonly urls: readonly string[];
  readonly token?: string;
}

/**
 * Tests on the node that all files of the run share, or on those that CM_XTDB_URL names, with the token in CM_XTDB_TOKEN; skipped by
 * name where there is none. Others write to it, so each test has a namespace, or ids, of its own. The address is known from
 * the beginning.
 */
export function withXtdb(title: string, tests: (node: NodeAddress) => void): void {
  requirement(missing ?? "an XTDB node", () => missing === undefined)(title, () => tests(address()));
}

/** `withXtdb` for tests that start nodes themselves. */
export const withOwnXtdb: (title: string, tests: () => void) => void = requirement(
  whatIsMissing() ?? "an XTDB node",
  () => whatIsMissing() === undefined,
);

function address(): NodeAddress {
  if (given !== undefined) {
    const token = process.env.CM_XTDB_TOKEN;
    return { urls: given, ...(token === undefined ? {} : { token }) };
  }
  const url = inject("sharedXtdbUrl");
  // Where what a node needs is missing, the tests are skipped and nothing asks.
  if (url === undefined && missing === undefined) {
    throw new TypeError("vitest.config.ts of this project lacks sharedXtdbSetup.");
  }
  return { urls: [url ?? ""] };
}
