import { chatId, type DocumentOf, sessionObjectId, stepId, systemPromptId } from "@cm/object-model";
import { badLine } from "../errors.ts";
import { badChain, pathTo, type StepOrder } from "./step-order.ts";

/** Both heads of the session that a bundle is made for, and the line each stands in. */
export interface FoundHeads {
  readonly session: DocumentOf<"session">;
  readonly chat: DocumentOf<"chat">;
  readonly line: number;
}

interface FoundObjects {
  readonly order: StepOrder;
  /** Those that are there, and those that are marked as erased. */
  readonly keyframes: ReadonlySet<string>;
}

/**
 * The heads name each other and vouch for the steps: the same newest step, and the chain over all steps that lead
 * there, computed anew.
 * @throws CmError `bundle/bad-chain`, `bundle/missing-reference`, `bundle/foreign`
 */
export function checkHeads(
  { session: head, chat, line }: FoundHeads,
  session: string,
  { order, keyframes }: FoundObjects,
): void {
  const named = [head.chat_ref, head.system_prompt_ref, chat.session_ref];
  const own = [chatId(session), systemPromptId(session), sessionObjectId(session)];
  if (named.some((id, place) => id !== own[place]))
    throw badLine("bundle/foreign", line, "its heads name another session");
  if (!order.hasPrompt(session)) throw badLine("bundle/missing-reference", line, "its system prompt is not there");
  if (head.keyframe !== undefined && !keyframes.has(head.keyframe)) {
    throw badLine("bundle/missing-reference", line, "its newest keyframe is not there");
  }
  checkSteps({ session: head, chat, line }, session, order);
  order.checkForeign(session);
}

function checkSteps({ session: head, chat, line }: FoundHeads, session: string, order: StepOrder): void {
  for (const address of [head.head ?? [], head.forked_from ?? []].flat()) order.leadTo(address, line);
  const path = pathTo(order.steps, session, head.head);
  if (path === undefined)
    throw badLine("bundle/missing-reference", line, "a step that its head continues is not there");
  const heads = [head.head, chat.head].map((address) => (address === null ? "" : stepId(address)));
  if (heads[0] !== heads[1]) throw badChain("its two heads name different steps");
  if (head.chain !== path.chain || chat.chain !== path.chain) {
    throw badChain("its steps are not those that its heads vouch for");
  }
  if (chat.step_count !== path.length) throw badChain("its chat counts other steps");
  if (!order.areAllBelow(session, head.next_step))
    throw badChain("its steps do not have the numbers that its head gave");
}
