import { containerFilesystemId } from "@cm/sources-fs";
import { describe, expect, it } from "vitest";
import { HeardMounts, mountsChannel, mountsWantedChannel, parseMountsMessage } from "../../src/files/mounts-message.ts";
import { eventBus } from "./event-bus.ts";

const message = { v: 1, mounts: [{ agent: "/workspace/", canonical: "/home/ada/app" }] };

describe("mounts on the event bus", () => {
  it("are those of the newest message, until one without mounts", () => {
    const bus = eventBus();
    const heard = new HeardMounts(bus);

    bus.emit(mountsChannel, message);
    const first = heard.heard;
    bus.emit(mountsChannel, { v: 1, mounts: [] });

    expect(first).toEqual({ mounts: [{ agentPrefix: "/workspace", canonicalPrefix: "/home/ada/app" }] });
    expect(heard.heard).toBeUndefined();
  });

  it("are asked for, so that a sandbox that spoke before we listened says them again", () => {
    const bus = eventBus();
    bus.on(mountsWantedChannel, () => bus.emit(mountsChannel, message));
    const heard = new HeardMounts(bus);

    heard.ask();

    expect(heard.heard?.mounts).toHaveLength(1);
  });

  it("are not heard any more after closing", () => {
    const bus = eventBus();
    const heard = new HeardMounts(bus);

    heard.close();
    bus.emit(mountsChannel, message);

    expect(heard.heard).toBeUndefined();
  });

  it("name the container by its engine's id, and leave out fields of later versions", () => {
    const parsed = parseMountsMessage({ ...message, container: "abc123", cwd: "/workspace", colour: "blue" });

    expect(parsed).toMatchObject({ filesystemId: containerFilesystemId("abc123"), cwd: "/workspace" });
    expect(parsed).not.toHaveProperty("colour");
  });

  it.each([
    ["nothing", undefined],
    ["another version", { ...message, v: 2 }],
    ["a relative path", { v: 1, mounts: [{ agent: "workspace", canonical: "/a" }] }],
    ["one prefix twice", { v: 1, mounts: ["/a", "/b"].map((canonical) => ({ agent: "/w", canonical })) }],
    ["too many", { v: 1, mounts: Array.from({ length: 300 }, (_, n) => ({ agent: `/${n}`, canonical: "/a" })) }],
  ])("are left as they were by a message with %s, which is noticed", (_, broken) => {
    const bus = eventBus();
    const heard = new HeardMounts(bus);
    bus.emit(mountsChannel, message);

    bus.emit(mountsChannel, broken);

    expect(heard.heard?.mounts).toHaveLength(1);
    expect(heard.misunderstood).toBe(true);
  });
});
