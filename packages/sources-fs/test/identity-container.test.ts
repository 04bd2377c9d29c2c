// Verifies: SSOT 5.4: the id of the container that a process is in.
import { readFileSync } from "node:fs";
import { containerIdFromCgroup, containerIdFromMountinfo } from "@cm/sources-fs";
import { describe, expect, it } from "vitest";

const fixture = (path: string): string => readFileSync(new URL(`fixtures/${path}`, import.meta.url), "utf8");

const id = "6f1c9c04d1c1e0f6a84c1a7a3ab0c2f4a7be95c1d3f86f2b4a7e90d2c5b81e37";

describe("a container id in a cgroup", () => {
  it.each([
    "v1-docker",
    "v2-docker",
    "v1-kubernetes",
    "v1-containerd",
    "v2-containerd",
    "v2-crio",
    "v1-podman",
    "v2-podman",
    "v1-docker-in-docker",
  ])("is found in the form of %s", (name) => {
    expect(containerIdFromCgroup(fixture(`identity/cgroup-${name}.txt`))).toBe(id);
  });

  it("is the task and number for ECS", () => {
    const text = fixture("identity/cgroup-v1-ecs.txt");

    expect(containerIdFromCgroup(text)).toBe("0123456789abcdef0123456789abcdef-1234567890");
  });

  it.each(["v2-host", "v2-namespace", "v2-conmon"])("is not there in the form of %s", (name) => {
    expect(containerIdFromCgroup(fixture(`identity/cgroup-${name}.txt`))).toBeUndefined();
  });
});

describe("a container id in a mountinfo", () => {
  it.each([
    ["docker", "container-docker", id],
    ["podman", "container-podman-rootless", "b7a9d5e2f1c04a6d8e3b9c7f5a1d2e4c6b8f0a3d5c7e9f1b2d4a6c8e0f2b4d6a"],
    ["Kubernetes", "container-pod", "0d9f3c1e-7a52-4b7e-9a35-1f0c2d3e4f5a/containers/agent/3f9a1c07"],
    ["docker in docker", "container-in-container", "1".repeat(64)],
  ])("is found in the form of %s", (_, name, expected) => {
    expect(containerIdFromMountinfo(fixture(`mounts/${name}.mountinfo`))).toBe(expected);
  });

  it.each(["host", "bubblewrap", "root-bind"])("is not there in the form of %s", (name) => {
    expect(containerIdFromMountinfo(fixture(`mounts/${name}.mountinfo`))).toBeUndefined();
  });
});
