import type { Renderer } from "@cm/context-log";
import { promptOf } from "./messages/prompt.ts";
import { isSpoken, verbatimMessage } from "./messages/verbatim.ts";

/**
 * The agent alone: every message verbatim, nothing of ours, and with it no escaping. What anything costs is measured
 * against this. Text that another layout recalled is not part of it.
 */
export const plainLayout: Renderer = {
  contract: "renderer/1",
  layout: "plain/1",
  residency: "rendered",
  render(view) {
    const messages = view.log.filter(isSpoken).map((entry) => {
      const erased =
        entry.kind === "result" && entry.text === null && isErased(view.objects.get(entry.object)?.textless);
      return verbatimMessage(entry, erased);
    });
    return promptOf(view, "plain/1", messages);
  },
};

const isErased = (textless: string | undefined): boolean => textless === "erased";
