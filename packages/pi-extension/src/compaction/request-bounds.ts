import { type AssembleOptions, messageBytes, type RenderedPrompt } from "@cm/context-log";
import { defined } from "@cm/object-model";
import type { PiModel } from "../pi/pi-types.ts";
import { windowOf } from "../provider/window-of.ts";
import { type BranchEnd, foldRequested } from "./fold-requested.ts";
import { afterOverflow, type OverflowEvent, type OverflowWindow, overflowBytesMax } from "./overflow-window.ts";

/** What the next request may weigh: by the model, by what the provider refused, and by what the user wants. */
export class RequestBounds {
  #overflow: OverflowWindow | undefined;
  #reserveTokens: number | undefined;

  /** For `assemble`, before each request. */
  optionsFor({ model, sessionManager }: RequestPlace): AssembleOptions {
    const name = model === undefined ? "" : nameOf(model.provider, model.id);
    const reserved = this.#reserveTokens === undefined ? {} : { reserveTokens: this.#reserveTokens };
    const window = model === undefined ? undefined : windowOf(model, reserved);
    const bytesMax = overflowBytesMax(this.#overflow, name);
    const wish = foldRequested(sessionManager);
    return {
      ...defined({ model: model?.id }),
      ...(bytesMax === undefined ? window && { window } : { window: { ...window, bytesMax } }),
      // What the user wants smaller is written anew anyway.
      ...(wish === undefined ? {} : { cache: "cold", ...wish }),
    };
  }

  /** Pi compacts: from its settings it is known what it keeps free. */
  compacted({ reason, settings, prompt, model }: CompactedPrompt): void {
    this.#reserveTokens = settings.reserveTokens;
    if (reason !== "overflow" || prompt === undefined || model === undefined) return;
    this.#follow({ kind: "refused", model: nameOf(model.provider, model.id), sentBytes: bytesOf(prompt) });
  }

  /** A request was answered. */
  answered(provider: string, model: string): void {
    this.#follow({ kind: "succeeded", model: nameOf(provider, model) });
  }

  #follow(event: OverflowEvent): void {
    this.#overflow = afterOverflow(this.#overflow, event);
  }
}

/** Which model is asked, and where the session stands. */
export interface RequestPlace {
  readonly model: PiModel | undefined;
  readonly sessionManager: BranchEnd;
}

export interface CompactedPrompt {
  readonly reason: "manual" | "threshold" | "overflow";
  readonly settings: { readonly reserveTokens: number };
  /** The newest prompt. Undefined where the session did not make it. */
  readonly prompt: RenderedPrompt | undefined;
  readonly model: PiModel | undefined;
}

const nameOf = (provider: string, model: string): string => `${provider}/${model}`;

const bytesOf = ({ messages }: RenderedPrompt): number =>
  messages.reduce((sum, message) => sum + messageBytes(message), 0);
