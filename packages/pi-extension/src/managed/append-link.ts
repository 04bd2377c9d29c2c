import { defined } from "@cm/object-model";
import { type Link, linkType } from "../link/link-entry.ts";
import type { PiSide } from "../pi/pi-side.ts";
import type { FollowedSession } from "./followed-session.ts";

/** Writes on Pi's branch which step of which session it belongs to. */
export function appendLink(
  { append, piSession }: PiSide,
  { session, follower }: Pick<FollowedSession, "session" | "follower">,
): void {
  const n = follower.lastStep;
  const link: Link = { v: 1, session: session.session, piSession, ...defined({ n }) };
  append(linkType, link);
}
