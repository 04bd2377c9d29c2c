/** Settings are chosen on one half of the recordings and reported on the other. */
export const halves = ["tune", "report"] as const;
export type Half = (typeof halves)[number];

/**
 * The half of a recording, by the second hex digit of its file's SHA-256: the choice is not free, and a recording keeps
 * its half when others are added.
 */
export function halfOf({ sha256 }: { readonly sha256: string }): Half {
  return Number.parseInt(sha256.charAt(1), 16) % 2 === 0 ? "tune" : "report";
}
