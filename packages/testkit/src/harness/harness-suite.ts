import type { ConformanceSuite } from "../suite.ts";
import type { HarnessFactory } from "./harness-case.ts";
import { harnessCase } from "./harness-law.ts";
import { calls } from "./laws/calls.ts";
import { content } from "./laws/content.ts";
import { faults } from "./laws/faults.ts";
import { requests } from "./laws/requests.ts";
import { sessions } from "./laws/sessions.ts";

/** The law of "harness/1", for a harness with Context Manager in it. Laws of what it cannot do say nothing to it. */
export const harnessSuite: ConformanceSuite<HarnessFactory> = {
  contract: "harness/1",
  cases: [...requests, ...calls, ...content, ...sessions, ...faults].map(harnessCase),
};
