import type { Prices } from "@cm/context-log";

/** The line above a recalled text, and its later rest. */
const headerChars = 80;

/** For how many calls an output is carried at most: to fold it and to bring it back costs less than to carry it longer. */
export const carriedCallsMax = (
  { read, write }: Prices,
  { chars, saves }: { readonly chars: number; readonly saves: number },
): number => (saves <= 0 ? Number.POSITIVE_INFINITY : (write * (chars + headerChars)) / (read * saves));
