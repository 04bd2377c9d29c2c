import type { PromptMessage, RebuiltPrompt } from "@cm/context-log";
import {
  type DocumentOf,
  defined,
  isDocumentOf,
  nonEmpty,
  type ObjectStore,
  type StepAddress,
  sessionObjectId,
  stepId,
  toolcallsIn,
} from "@cm/object-model";
import type { SentMessage, StoredCall, StoredSession, StoredStep } from "./harness-run.ts";

/** Gives a past request from the store alone, such as `rebuildPrompt` of `@cm/session`. */
export type Rebuild = (address: StepAddress) => Promise<RebuiltPrompt>;

/**
 * Reads what a store has of a session, for a `HarnessRun`. Undefined where there is none.
 * @throws TypeError where heads or steps are missing; what store and `rebuild` throw
 */
export async function readStoredSession(
  store: ObjectStore,
  session: string,
  rebuild: Rebuild,
): Promise<StoredSession | undefined> {
  const id = sessionObjectId(session);
  const head = (await store.getMany([id])).get(id)?.document;
  if (head === undefined || !isDocumentOf(head, "session")) return undefined;
  const addresses = Array.from({ length: head.next_step }, (_, n) => ({ session, n }));
  const found = await store.getMany(addresses.map(stepId));
  const documents = addresses.map((address) => {
    const document = found.get(stepId(address))?.document;
    if (document === undefined || !isDocumentOf(document, "step")) {
      throw new TypeError(`Step ${address.n} of session ${session} is not there.`);
    }
    return document;
  });
  const steps: StoredStep[] = [];
  for (const document of documents)
    steps.push(await storedStep(store, document, await rebuild({ session, n: document.n })));
  const path: number[] = [];
  for (let at = head.head; at !== null && at.session === session; at = documents[at.n]?.parent ?? null)
    path.unshift(at.n);
  const pending = (head.pending?.messages ?? []).flatMap((one) => (one.role === "user" ? [one.text] : []));
  return { steps, path, pending };
}

async function storedStep(
  store: ObjectStore,
  { n, messages, usage, decision, prompt_hash: promptHash }: DocumentOf<"step">,
  { prompt, hash, complete }: RebuiltPrompt,
): Promise<StoredStep> {
  const objects = await store.getMany(toolcallsIn(messages));
  const stored = (id: string | undefined): StoredCall | undefined => {
    const document = id === undefined ? undefined : objects.get(id)?.document;
    return document !== undefined && isDocumentOf(document, "toolcall") ? storedCall(document) : undefined;
  };
  const answer = messages.find((message) => message.role === "assistant");
  const calls = (answer?.calls ?? []).map(({ call_id: callId, tool, object }) => ({
    callId,
    tool,
    object: stored(object),
  }));
  const own = new Set((answer?.calls ?? []).flatMap(({ object }) => object ?? []));
  return {
    n,
    said: messages.flatMap((message) => (message.role === "user" ? [message.text] : [])),
    answer: { text: answer?.text ?? "", thinking: answer?.thinking ?? [] },
    calls,
    late: messages.flatMap((message) =>
      message.role === "tool" && !own.has(message.object) ? (stored(message.object) ?? []) : [],
    ),
    ...defined({
      usage:
        usage === undefined
          ? undefined
          : {
              input: usage.input,
              output: usage.output,
              cacheRead: usage.cache_read,
              cacheWrite: usage.cache_write,
            },
    }),
    folded: decision.fold !== undefined,
    promptHash,
    prompt: { system: prompt.system, messages: prompt.messages.map(sentMessage), hash, complete },
  };
}

function storedCall(document: DocumentOf<"toolcall">): StoredCall {
  const { tool, args, status, content, attachments = [] } = document;
  return {
    id: document["xt/id"],
    tool,
    args,
    failed: status === "fail",
    text: content,
    images: attachments.map(({ sha256 }) => sha256),
  };
}

/** A message of a rendered prompt, as a run tells it. */
export function sentMessage({ role, text, thinking, calls, callId, failed, attachments }: PromptMessage): SentMessage {
  return {
    role,
    text,
    ...nonEmpty({ thinking }),
    ...nonEmpty({ calls }),
    ...defined({ callId, failed }),
    ...(attachments === undefined || attachments.length === 0
      ? {}
      : { images: attachments.map(({ sha256 }) => sha256) }),
  };
}
