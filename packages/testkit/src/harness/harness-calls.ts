import { mustHave } from "../case/admission.ts";
import { type LastCall, toldName } from "../case/last-call.ts";
import type { HarnessConversation } from "./conversation.ts";
import type { HarnessUnderTest } from "./harness-case.ts";

/** The same harness, whose last call is remembered. */
export function admitHarness(harness: HarnessUnderTest, calls: LastCall): HarnessUnderTest {
  mustHave("harness", harness, ["play"]);
  mustHave("list of a harness's features", harness.features, ["includes", "some"]);
  return calls.watch("harness", harness, { play: ({ id }: HarnessConversation) => toldName(id) });
}
