import { setTimeout as wait } from "node:timers/promises";
import type { StreamFn } from "@earendil-works/pi-agent-core";
import {
  type AssistantMessageEvent,
  createAssistantMessageEventStream,
  isRetryableAssistantError,
  type Models,
} from "@earendil-works/pi-ai";
import { limits } from "../limits.ts";

/** Asks a model, and again where it failed before it said anything and may well succeed. */
export function askModel(models: Models, repeatMs: number = limits.modelRepeatMs): StreamFn {
  return (model, context, options) => {
    const stream = createAssistantMessageEventStream();
    const relay = async () => {
      for (let repeats = 0; ; repeats += 1) {
        const held: AssistantMessageEvent[] = [];
        let spoke = false;
        let failed = false;
        for await (const event of models.streamSimple(model, context, { ...options, maxRetries: 0 })) {
          const isFailure = event.type === "error" && event.reason === "error" && !spoke;
          if (isFailure && repeats < limits.modelRepeatsMax && isRetryableAssistantError(event.error)) {
            failed = true;
            break;
          }
          spoke ||= event.type !== "start";
          held.push(event);
          if (spoke) for (const each of held.splice(0)) stream.push(each);
        }
        if (!failed) return stream.end();
        await wait(repeatMs * 2 ** repeats, undefined, options?.signal ? { signal: options.signal } : {}).catch(
          () => undefined,
        );
      }
    };
    void relay();
    return stream;
  };
}
