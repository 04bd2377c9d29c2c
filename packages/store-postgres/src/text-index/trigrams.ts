import { storeLimits } from "../limits.ts";

/** Each trigram, three UTF-16 units, stands for one of so many places. */
const places = 1 << 14;
const placesOfGroup = 8;
export const groups = places / placesOfGroup;

/** Upper and lower case alike, as the contract's reference does it: texts are compared folded. */
export const foldText = (text: string): string => text.toLowerCase();

/** The places that a text has: of each group a mask, a bit for each place; and the groups that have any. */
export interface Places {
  readonly masks: Uint8Array;
  readonly touched: readonly number[];
}

export function placesOf(folded: string): Places {
  const masks = new Uint8Array(groups);
  const touched: number[] = [];
  for (let at = 0; at + 2 < folded.length; at += 1) {
    const place = placeAt(folded, at);
    const group = place >>> 3;
    if (masks[group] === 0) touched.push(group);
    masks[group] = (masks[group] ?? 0) | (1 << (place & 7));
  }
  return { masks, touched };
}

/** A text that every search has to look at. */
export function everyPlace(): Places {
  return { masks: new Uint8Array(groups).fill(0xff), touched: Array.from({ length: groups }, (_, group) => group) };
}

/**
 * What a text with this folded piece in it must have: bits by group, from the whole length of the piece. Undefined where the
 * piece is too short to ask for.
 */
export function askedPlaces(piece: string): ReadonlyMap<number, number> | undefined {
  const count = Math.min(piece.length, storeLimits.searchPieceCharsMax) - 2;
  if (count <= 0) return undefined;
  const stride = Math.max(1, count / storeLimits.searchTrigramsMax);
  const asked = new Map<number, number>();
  for (let at = 0; at < count; at += stride) {
    const place = placeAt(piece, Math.floor(at));
    const group = place >>> 3;
    asked.set(group, (asked.get(group) ?? 0) | (1 << (place & 7)));
  }
  return asked;
}

function placeAt(text: string, at: number): number {
  const first = Math.imul(text.charCodeAt(at), 0x9e3779b1) ^ text.charCodeAt(at + 1);
  const second = Math.imul(first, 0x85ebca6b) ^ text.charCodeAt(at + 2);
  return Math.imul(second ^ (second >>> 15), 0xc2b2ae35) >>> 18;
}
