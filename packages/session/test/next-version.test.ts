// Verifies: SSOT 2.5, 5.6, 5.9, F11 (orphaning writes nothing)
import type { FileTouch } from "@cm/context-log";
import { type Observation, sha256 } from "@cm/object-model";
import { describe, expect, it } from "vitest";
import { type IndexOutcome, nextVersion } from "../src/index.ts";
import { at, present } from "./support/map-source.ts";

const source = at("/a/b.test.TS");
const binary: Observation = { kind: "present", sourceHash: "etag", content: { withheld: "binary" }, state: {} };
const unchanged: Observation = { kind: "unchanged", state: {} };
const absent: Observation = { kind: "absent" };
const unreachable: Observation = { kind: "unreachable", reason: "unplugged" };

const stored = nextVersion(source, undefined, present("old"), { as: "read" }).document;
const stub = nextVersion(source, undefined, unreachable, { as: "read" }).document;
const deleted = nextVersion(source, stored, absent, { as: "read" }).document;

describe("the next version", () => {
  const rows: readonly (readonly [string, string, FileTouch["as"], IndexOutcome, typeof stored, Observation])[] = [
    ["nothing", "present", "read", "created", undefined, present("new")],
    ["nothing", "present", "discovered", "created", undefined, present("new")],
    ["nothing", "present without text", "read", "created", undefined, binary],
    ["a text", "present and equal", "read", "unchanged", stored, present("old")],
    ["a text", "present and other", "read", "updated", stored, present("new")],
    ["a text", "present without text", "read", "updated", stored, binary],
    ["a stub", "present", "discovered", "updated", stub, present("new")],
    ["a deleted file", "present", "read", "updated", deleted, present("old")],
    ["nothing", "unchanged", "read", "unknown", undefined, unchanged],
    ["a text", "unchanged", "read", "unchanged", stored, unchanged],
    ["nothing", "absent", "read", "unknown", undefined, absent],
    ["a text", "absent", "discovered", "deleted", stored, absent],
    ["a stub", "absent", "read", "deleted", stub, absent],
    ["a deleted file", "absent", "read", "unchanged", deleted, absent],
    ["nothing", "unreachable", "read", "stub", undefined, unreachable],
    ["nothing", "unreachable", "edited", "stub", undefined, unreachable],
    ["nothing", "unreachable", "discovered", "unknown", undefined, unreachable],
    ["a text", "unreachable", "read", "unreachable", stored, unreachable],
    ["a stub", "unreachable", "edited", "unreachable", stub, unreachable],
    ["a deleted file", "unreachable", "read", "unreachable", deleted, unreachable],
  ];

  it.each(rows)("of %s that is %s when %s: %s", (_before, _now, as, outcome, before, observation) => {
    const next = nextVersion(source, before, observation, { as });

    expect(next.outcome).toBe(outcome);
    expect(next.document !== undefined).toBe(["created", "updated", "stub", "deleted"].includes(outcome));
  });

  it("names the origin of its text where no source looked, and is another version after the first look", () => {
    const told = { ...present("text"), sourceHash: "tool:hash", from: "tool" as const };
    const first = nextVersion(source, undefined, told, { as: "read" }).document;
    const changed = { ...told, sourceHash: "tool:changed", content: { withheld: "unread" } } as const;
    const edited = nextVersion(source, first, changed, { as: "edited" });
    const seen = nextVersion(source, first, present("text"), { as: "read" });

    expect(first).toMatchObject({ content: "text", source_hash: "tool:hash", content_from: "tool" });
    expect(edited).toMatchObject({ outcome: "updated", document: { content: null, null_reason: "unread" } });
    expect(seen).toMatchObject({ outcome: "updated", document: { content: "text" } });
    expect(seen.document).not.toHaveProperty("content_from");
  });

  it("carries what SSOT 2.5 says of a file", () => {
    const { document } = nextVersion(source, undefined, { ...present("wörd 😀"), redactions: 2 }, { as: "read" });

    expect(document).toMatchObject({
      type: "file",
      source,
      content: "wörd 😀",
      source_hash: sha256("wörd 😀"),
      file_type: "ts",
      char_count: 7,
      redactions: 2,
    });
  });

  it("says why there is no text", () => {
    const reasons = [stub, deleted, nextVersion(source, stored, binary, { as: "read" }).document].map((document) => [
      document?.content,
      document?.null_reason,
      document?.char_count,
      document?.source_hash,
    ]);

    expect(reasons).toEqual([
      [null, "unread", 0, undefined],
      [null, "deleted", 0, undefined],
      [null, "binary", 0, "etag"],
    ]);
  });

  it("keeps the envelope of the version before", () => {
    const { document } = nextVersion(source, stored, present("new"), { as: "read" });

    expect([document?.["xt/id"], document?.identity_hash]).toEqual([stored?.["xt/id"], stored?.identity_hash]);
  });
});
