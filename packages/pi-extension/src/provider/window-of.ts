import type { WindowBound } from "@cm/context-log";
import type { PiModel } from "../pi/pi-types.ts";
import { providerLimits } from "./limits.ts";

export interface WindowSettings {
  /** What Pi keeps free before it wants to compact (`compaction.reserveTokens`). */
  readonly reserveTokens?: number;
}

/**
 * What a request to this model may weigh. The room for the answer is at least what Pi keeps free, so that Pi never wants
 * to compact what fits. Undefined where the model's list names no window.
 */
export function windowOf(model: PiModel, settings: WindowSettings = {}): WindowBound | undefined {
  const tokensMax = wholeNumber(model.contextWindow);
  if (tokensMax === undefined) return undefined;
  const reserved = wholeNumber(settings.reserveTokens) ?? providerLimits.reserveTokens;
  const said = Math.min(wholeNumber(model.maxTokens) ?? reserved, providerLimits.answerTokensMax);
  const percentOf = (percent: number): number => Math.floor((tokensMax * percent) / 100);
  const most = percentOf(providerLimits.answerPercentMax);
  // In a window that small Pi wants to compact whatever is sent: then the prompt has the room.
  if (reserved > most) return { tokensMax, answerTokens: Math.min(said, percentOf(providerLimits.smallAnswerPercent)) };
  return { tokensMax, answerTokens: Math.min(Math.max(said, reserved), most) };
}

function wholeNumber(value: number | undefined): number | undefined {
  return value !== undefined && Number.isFinite(value) && value >= 1 ? Math.floor(value) : undefined;
}
