import { defined } from "@cm/object-model";
import type { FollowedSession } from "../managed/followed-session.ts";
import type { PiSide } from "../managed/pi-side.ts";
import { type Link, linkType } from "./link-entry.ts";

/** Writes on Pi's branch which step of which session it belongs to. */
export function appendLink(
  { append, piSession }: PiSide,
  { session, follower }: Pick<FollowedSession, "session" | "follower">,
): void {
  const n = follower.lastStep;
  const link: Link = { v: 1, session: session.session, piSession, ...defined({ n }) };
  append(linkType, link);
}
