import type { Checkout } from "@cm/object-model";
import type { FileThread } from "../indexing/file-thread.ts";
import { checkoutLimits as limits } from "../limits.ts";

/** The work trees that the roots lie in, told by the reading thread, since a dead mount must not hold up the loop. */
export async function checkouts(thread: FileThread): Promise<readonly Checkout[]> {
  let found: readonly Checkout[] = [];
  await thread.run(
    { kind: "checkouts" },
    {
      onReply: (reply) => {
        if ("checkouts" in reply) found = reply.checkouts.checkouts;
      },
    },
    { deadlineMs: limits.checkoutsMs },
  );
  return found;
}
