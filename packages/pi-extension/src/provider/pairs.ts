import type { PromptMessage } from "@cm/context-log";
import { providerLimits } from "./limits.ts";
import type { WireUnit } from "./wire-unit.ts";

/**
 * Which unit of the request each message of the prompt became. Pi leaves out empty messages and answers that broke off,
 * adds results for calls that have none, pictures of results and fillers, and may write call ids anew; a text may differ
 * where a secret was put back. So both are walked side by side: what is alike is a pair, and so is what stands between
 * two pairs and has the same roles in the same order.
 */
export function pairsOf(
  messages: readonly PromptMessage[],
  units: readonly WireUnit[],
): readonly (number | undefined)[] {
  // Changes of the system prompt stand between messages, and are none of the prompt's.
  const spoken: number[] = [];
  for (const [place, { kind }] of units.entries()) if (kind !== "system") spoken.push(place);
  const pairs = pairsOfSpoken(
    messages,
    spoken.map((place) => units[place]),
  );
  return pairs.map((place) => (place === undefined ? undefined : spoken[place]));
}

type Units = readonly (WireUnit | undefined)[];

function pairsOfSpoken(messages: readonly PromptMessage[], units: Units): readonly (number | undefined)[] {
  const pairs: (number | undefined)[] = new Array(messages.length).fill(undefined);
  let at: Steps = { messages: 0, units: 0 };
  let strange = 0;
  while (at.messages < messages.length && at.units < units.length) {
    const next = nextAlike(messages, units, at);
    if (next === undefined) break;
    const { messages: left, units: right } = next;
    const sameRoles = left === right && haveSameRoles(messages, units, { at, count: left });
    for (let step = 0; sameRoles && step < left; step += 1) pairs[at.messages + step] = at.units + step;
    strange += left + right;
    if (strange > providerLimits.strangeMessagesMax) break;
    if (next.isPair) pairs[at.messages + left] = at.units + right;
    at = { messages: at.messages + left + 1, units: at.units + right + 1 };
  }
  return pairs;
}

interface Steps {
  readonly messages: number;
  readonly units: number;
}

/** How far on both sides the next pair is; at the end of either, what is left of it counts as the way there. */
function nextAlike(
  messages: readonly PromptMessage[],
  units: Units,
  at: Steps,
): (Steps & { readonly isPair: boolean }) | undefined {
  if (isAlike(messages[at.messages], units[at.units])) return pairHere;
  const far = providerLimits.apartMessagesMax;
  for (let apart = 1; apart <= 2 * far; apart += 1) {
    // Of two ways of the same length the more even one: a text that differs is likelier than one left out and one added.
    for (const left of evenFirst(apart, far)) {
      const right = apart - left;
      if (isAlike(messages[at.messages + left], units[at.units + right])) {
        return { messages: left, units: right, isPair: true };
      }
    }
  }
  const left = messages.length - at.messages;
  const right = units.length - at.units;
  return left <= far && right <= far ? { messages: left, units: right, isPair: false } : undefined;
}

const pairHere = { messages: 0, units: 0, isPair: true };

function evenFirst(sum: number, most: number): readonly number[] {
  const ways: number[] = [];
  for (let left = Math.max(0, sum - most); left <= Math.min(sum, most); left += 1) ways.push(left);
  return ways.sort((a, b) => Math.abs(2 * a - sum) - Math.abs(2 * b - sum));
}

function haveSameRoles(
  messages: readonly PromptMessage[],
  units: Units,
  { at, count }: { readonly at: Steps; readonly count: number },
): boolean {
  for (let step = 0; step < count; step += 1) {
    if (messages[at.messages + step]?.role !== units[at.units + step]?.kind) return false;
  }
  return true;
}

function isAlike(message: PromptMessage | undefined, unit: WireUnit | undefined): boolean {
  if (message === undefined || unit === undefined || message.role !== unit.kind) return false;
  if (message.role === "tool") return isSameCall(message.callId ?? "", unit.callId ?? "");
  const first = message.role === "assistant" ? message.calls?.[0]?.callId : undefined;
  if (first !== undefined && unit.callId !== undefined) return isSameCall(first, unit.callId);
  return first === unit.callId && unit.texts.join("\n") === message.text;
}

/** Lengths at which Pi cuts ids. */
const cutLengths: readonly number[] = [40, 64];

/** Anthropic takes fewer signs in an id than others give. */
function isSameCall(ours: string, onWire: string): boolean {
  if (ours === onWire) return true;
  const written = ours.replace(/[^a-zA-Z0-9_-]/g, "_");
  return written === onWire || (cutLengths.includes(onWire.length) && written.startsWith(onWire));
}
