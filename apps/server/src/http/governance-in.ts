import { serverError } from "../errors.ts";
import type { Governance } from "../governance/governance.ts";
import type { ServerState } from "./server-state.ts";

/** @throws CmError `server/not-found` where this server governs nothing */
export function governanceIn({ governance }: ServerState): Governance {
  if (governance !== undefined) return governance;
  throw serverError("server/not-found", "This server governs no sessions; start it with --policy.");
}
