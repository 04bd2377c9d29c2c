import { type AssembleOptions, messageBytes, type RenderedPrompt } from "@cm/object-model";
import type { PiModel } from "../pi/pi-types.ts";
import { windowOf } from "../provider/window-of.ts";
import { compactionLimits } from "./limits.ts";
import { afterOverflow, type OverflowEvent, type OverflowWindow, overflowBytesMax } from "./overflow-window.ts";

/** What the next request may weigh: by the model, by what the provider refused, and by what the user asked for. */
export class RequestBounds {
  #overflow: OverflowWindow | undefined;
  #reserveTokens: number | undefined;
  /** Set by `/compact`, until a request was answered. */
  #compactBytesMax: number | undefined;

  /** For `assemble`, before each request. */
  optionsFor(model: PiModel | undefined): AssembleOptions {
    const name = model === undefined ? "" : nameOf(model.provider, model.id);
    const reserved = this.#reserveTokens === undefined ? {} : { reserveTokens: this.#reserveTokens };
    const window = model === undefined ? undefined : windowOf(model, reserved);
    const bounds = [overflowBytesMax(this.#overflow, name), this.#compactBytesMax].filter(
      (bound) => bound !== undefined,
    );
    const bytesMax = bounds.length === 0 ? {} : { bytesMax: Math.min(...bounds) };
    return {
      ...(model === undefined ? {} : { model: model.id }),
      ...(window === undefined && bounds.length === 0 ? {} : { window: { ...window, ...bytesMax } }),
      // What the user wants smaller is written anew anyway.
      ...(this.#compactBytesMax === undefined ? {} : { cache: "cold" }),
    };
  }

  /** Pi compacts: from its settings it is known what it keeps free. */
  compacted({ reason, settings, prompt, model }: CompactedPrompt): void {
    this.#reserveTokens = settings.reserveTokens;
    if (prompt === undefined) return;
    const sentBytes = bytesOf(prompt);
    if (reason === "overflow" && model !== undefined) {
      this.#follow({ kind: "refused", model: nameOf(model.provider, model.id), sentBytes });
    }
    if (reason === "manual") {
      const part = Math.floor((sentBytes * compactionLimits.compactPercent) / 100);
      this.#compactBytesMax = Math.max(part, settings.keepRecentTokens * compactionLimits.bytesPerKeptToken);
    }
  }

  /** A request was answered. */
  answered(provider: string, model: string): void {
    this.#compactBytesMax = undefined;
    this.#follow({ kind: "succeeded", model: nameOf(provider, model) });
  }

  #follow(event: OverflowEvent): void {
    this.#overflow = afterOverflow(this.#overflow, event);
  }
}

export interface CompactedPrompt {
  readonly reason: "manual" | "threshold" | "overflow";
  readonly settings: { readonly reserveTokens: number; readonly keepRecentTokens: number };
  /** The newest prompt. Undefined where the session did not make it. */
  readonly prompt: RenderedPrompt | undefined;
  readonly model: PiModel | undefined;
}

const nameOf = (provider: string, model: string): string => `${provider}/${model}`;

const bytesOf = ({ messages }: RenderedPrompt): number =>
  messages.reduce((sum, message) => sum + messageBytes(message), 0);
