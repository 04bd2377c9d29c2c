import { objectStoreSuite } from "@cm/testkit";
import { campaign } from "./random.ts";

/**
 * Cases for the same store in another place, beside the comparison with the model: of repeated requests and of several
 * clients, of searches for text and by fields, which have indexes, and of hints, which have a connection of their own. A
 * campaign has all of them, as `object-store.conformance.test.ts` has in each run.
 */
export const casesElsewhere = objectStoreSuite.cases.filter(
  ({ id }) => campaign || /^OS-(?:03|08|09|15|16|18)/.test(id),
);
