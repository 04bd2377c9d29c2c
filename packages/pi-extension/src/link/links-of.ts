import type { PiSide } from "../pi/pi-side.ts";
import { type Link, newestLink } from "./link-entry.ts";

/** The newest link on Pi's branch, and the newest one that this session of Pi wrote, on whatever branch. */
export function linksOf({ branch, entries, piSession }: Pick<PiSide, "branch" | "entries" | "piSession">): {
  readonly link: Link | undefined;
  readonly own: Link | undefined;
} {
  const link = newestLink(branch());
  return { link, own: link?.piSession === piSession ? link : newestLink(entries(), piSession) };
}
