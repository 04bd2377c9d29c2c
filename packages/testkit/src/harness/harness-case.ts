// The form that a harness fills in. A test of an adapter needs a `HarnessFactory` and nothing else.
import type { ConformanceCase } from "../suite.ts";
import type { HarnessConversation } from "./conversation.ts";
import type { HarnessRun } from "./harness-run.ts";

/**
 * What not every harness can do, or be made to do by a script; a harness with the feature must do it right.
 *
 * - `thinking`: signed reasoning goes back to the model. `images`: pictures in prompts and outputs.
 * - `steering`: the user says something while calls run. `blocking`: a call is not let through.
 * - `asks-again`: a request that failed is sent once more. `usage`: tokens are reported.
 * - `restart`: a session is continued by a new process. `kill`: also after one that died in the middle of a call.
 * - `going-back`: the user goes back to an earlier point of the conversation.
 * - `store-offline`: the database does not answer for a while. `detach`: Context Manager is switched off for a while.
 * - `elsewhere`: the store has another session.
 * - `redaction`: known shapes of secrets are taken out before anything is stored.
 * - `log`: the layout only appends between folds (SSOT 4.4 (1)).
 */
export const harnessFeatures = [
  "thinking",
  "images",
  "steering",
  "blocking",
  "asks-again",
  "usage",
  "restart",
  "kill",
  "going-back",
  "store-offline",
  "detach",
  "elsewhere",
  "redaction",
  "log",
] as const;

export type HarnessFeature = (typeof harnessFeatures)[number];

/**
 * A harness with Context Manager in it. It may be a process of its own: everything that it is told and tells is data.
 */
export interface HarnessUnderTest {
  readonly name: string;
  readonly features: readonly HarnessFeature[];
  /** Plays a conversation from its start, in a store of its own. Each answer of the script is given to one request. */
  play(conversation: HarnessConversation): Promise<HarnessRun>;
}

export type HarnessFactory = () => HarnessUnderTest;
export type HarnessCase = ConformanceCase<HarnessFactory>;
