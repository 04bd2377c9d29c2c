import { type Checkout, CmError } from "@cm/object-model";
import type { FileThread } from "../indexing/file-thread.ts";
import { checkoutLimits as limits } from "../limits.ts";

/**
 * The work trees that the roots lie in, told by the reading thread, since a dead mount must not hold up the loop.
 * @throws CmError `source/no-answer` if there is no answer in time, which differs from an empty answer
 */
export async function checkouts(thread: FileThread): Promise<readonly Checkout[]> {
  const replies: (readonly Checkout[])[] = [];
  const endReason = await thread.run(
    { kind: "checkouts" },
    {
      onReply: (reply) => {
        if ("checkouts" in reply) replies.push(reply.checkouts.checkouts);
      },
    },
    { deadlineMs: limits.checkoutsMs },
  );
  const [found] = replies;
  if (found === undefined) throw new CmError("source/no-answer", `The work trees cannot be told now: ${endReason}.`);
  return found;
}
