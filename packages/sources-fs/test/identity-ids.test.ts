// Verifies: SSOT 5.4: file system ids are derived from facts, and equal wherever the facts are.
import { createHash } from "node:crypto";
import {
  containerFilesystemId,
  deviceFilesystemId,
  hostFilesystemId,
  networkFilesystemId,
  tmpfsFilesystemId,
} from "@cm/sources-fs";
import { describe, expect, it } from "vitest";

const machineId = "3d1219c7c4c5404aaa1f6d2a48adfda4";

describe("the id of a host or container", () => {
  it("is the SHA-256 of the machine id or container id without white space around it", () => {
    const expected = createHash("sha256").update(machineId).digest("hex");

    expect(hostFilesystemId(`${machineId}\n`)).toBe(expected);
    expect(hostFilesystemId(`  ${machineId}\r\n`)).toBe(expected);
    expect(containerFilesystemId(`${machineId}\n`)).toBe(expected);
  });
});

describe("the id of a network mount", () => {
  it.each<[string, string, readonly [string, string][]]>([
    [
      "NFS",
      "nas.example.org:/export/projects",
      [
        ["nfs4", "nas.example.org:/export/projects"],
        ["nfs", "NAS.Example.org:/export/projects/"],
        ["nfs4", "nas.example.org.:/export//projects"],
        ["nfs4", "nfs://nas.example.org:2049/export/projects"],
      ],
    ],
    [
      "NFS at an address",
      "2001:db8::4",
      [
        ["nfs4", "[2001:DB8::4]:/export"],
        ["nfs", "2001:db8::4:/export/"],
      ],
    ],
    [
      "SMB",
      "files",
      [
        ["cifs", "//files/Team/Docs"],
        ["smb3", "//FILES/team/docs/"],
        ["smbfs", "//ada@files/team/docs"],
        ["smbfs", "//WORK;ada@files:445/Team/Docs"],
        ["cifs", "\\\\files\\team\\docs"],
        ["cifs", "smb://files/team/docs"],
      ],
    ],
    [
      "SSH",
      "build",
      [
        ["fuse.sshfs", "ada@build:/srv/src"],
        ["fuse.sshfs", "bob@BUILD:/srv/src/"],
        ["sshfs", "build:/srv/src"],
        ["fuse.sshfs", "sftp://ada@build:22/srv/src"],
      ],
    ],
    [
      "Ceph",
      "two monitors",
      [
        ["ceph", "mon1:6789,mon2:6789:/vol"],
        ["ceph", "MON2:6789,mon1:6789:/vol/"],
      ],
    ],
  ])("is one for all spellings of %s (%s)", (_, __, spellings) => {
    expect(new Set(spellings.map(([type, source]) => networkFilesystemId(type, source))).size).toBe(1);
  });

  it("differs between servers, exports, ports, protocols, cases of a path and homes of users", () => {
    const mounts = [
      ["nfs4", "nas:/export"],
      ["nfs4", "nas2:/export"],
      ["nfs4", "nas:/Export"],
      ["nfs4", "nas:/export/projects"],
      ["nfs4", "nas:/"],
      ["nfs4", "nfs://nas:2050/export"],
      ["cifs", "//nas/export"],
      ["fuse.sshfs", "nas:/export"],
      ["fuse.sshfs", "ada@nas:"],
      ["fuse.sshfs", "bob@nas:"],
      ["fuse.sshfs", "ada@nas:export"],
      ["fuse.sshfs", ""],
      ["nfs4", ""],
    ] as const;

    expect(new Set(mounts.map(([type, source]) => networkFilesystemId(type, source))).size).toBe(mounts.length);
  });

  it("does not depend on a password in the source", () => {
    expect(networkFilesystemId("smbfs", "//ada:secret@nas/a")).toBe(networkFilesystemId("cifs", "//nas/a"));
  });
});

describe("the id of a memory file system", () => {
  it("is its container's, else one of the boot and the device", () => {
    const [one, same, next, other] = [
      tmpfsFilesystemId({ bootId: "boot-1\n", device: "0:31" }),
      tmpfsFilesystemId({ bootId: "boot-1", device: "0:31" }),
      tmpfsFilesystemId({ bootId: "boot-2", device: "0:31" }),
      tmpfsFilesystemId({ bootId: "boot-1", device: "0:32" }),
    ];

    expect(tmpfsFilesystemId({ containerFilesystemId: "c" })).toBe("c");
    expect(one).toBe(same);
    expect(new Set([one, next, other]).size).toBe(3);
  });
});

describe("the device id", () => {
  it("follows from its facts alone, and each of them counts", () => {
    const facts = { owner: "host", type: "ext4", source: "/dev/sda1", device: "8:1" };
    const others = [
      { ...facts, owner: "other" },
      { ...facts, type: "xfs" },
      { ...facts, source: "/dev/sdb1" },
      { ...facts, device: "8:17" },
      { owner: "host", device: "8:1" },
    ];

    expect(deviceFilesystemId({ ...facts })).toBe(deviceFilesystemId(facts));
    expect(new Set([facts, ...others].map(deviceFilesystemId)).size).toBe(6);
  });
});
