// Verifies: SSOT 5.9
import { describe, expect, it } from "vitest";
import { closedReason, nextStatus, type TrackingEvent, type TrackingStatus } from "../src/track/transitions.ts";

const orphaned: TrackingStatus = { state: "orphaned", reason: "folder gone" };
const closed: TrackingStatus = { state: "orphaned", reason: closedReason };
const watched: TrackingEvent = { kind: "watched" };
const lost: TrackingEvent = { kind: "lost", reason: "no watches left" };
const close: TrackingEvent = { kind: "closed" };
const lostStatus: TrackingStatus = { state: "orphaned", reason: "no watches left" };

describe("the states of a followed file", () => {
  it.each<[TrackingStatus, TrackingEvent, TrackingStatus]>([
    [{ state: "unchecked" }, watched, { state: "attached" }],
    [{ state: "unchecked" }, lost, lostStatus],
    [{ state: "unchecked" }, close, closed],
    [{ state: "attached" }, watched, { state: "attached" }],
    [{ state: "attached" }, lost, lostStatus],
    [{ state: "attached" }, close, closed],
    [orphaned, watched, { state: "resumed" }],
    [orphaned, lost, lostStatus],
    [orphaned, close, closed],
    [{ state: "resumed" }, watched, { state: "resumed" }],
    [{ state: "resumed" }, lost, lostStatus],
    [{ state: "resumed" }, close, closed],
    [closed, watched, closed],
    [closed, lost, closed],
    [closed, close, closed],
  ])("after %j, %j gives %j", (before, event, after) => {
    expect(nextStatus(before, event)).toEqual(after);
  });
});
