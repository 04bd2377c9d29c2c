// Verifies: SSOT 2.3
import { describe, expect, it } from "vitest";
import { indexedFieldsOf, locationOf, parseSourceBinding, type SourceBinding } from "../src/index.ts";
import { randomMaterial, seal } from "./random/documents.ts";
import { createRandom } from "./random/random.ts";

const git = { type: "git", repo: "host/repo", ref: "main", path: "src/a.ts" } as const;
const s3 = { type: "s3", bucket: "b", key: "data/a.csv" } as const;

describe("source bindings", () => {
  it.each<SourceBinding>([
    { type: "filesystem", filesystemId: "fs-1", path: "/w/a.ts" },
    git,
    s3,
    { ...s3, endpoint: "https://minio.local" },
    { type: "wiki", space: "team", page: "Home" },
  ])("are accepted as they are: $type", (binding) => {
    expect(parseSourceBinding(binding)).toEqual(binding);
  });

  it.each([
    ["nothing", null],
    ["text", "filesystem"],
    ["no type", { path: "/w" }],
    ["an empty type", { type: "" }],
    ["a missing field", { type: "filesystem", path: "/w" }],
    ["an empty field", { ...git, ref: "" }],
    ["an unknown field of a known type", { ...s3, region: "eu" }],
    ["a field that is no text", { type: "wiki", page: 1 }],
    ["a nested field", { type: "wiki", page: { title: "Home" } }],
  ])("are refused with %s", (_, value) => {
    expect(() => parseSourceBinding(value)).toThrow(expect.objectContaining({ code: "model/invalid-source" }));
  });

  it.each([
    [{ type: "filesystem", filesystemId: "fs-1", path: "/w/a.ts" }, "fs-1", "/w/a.ts"],
    [git, "host/repo@main", "src/a.ts"],
    [s3, "b", "data/a.csv"],
    [{ ...s3, endpoint: "https://minio.local" }, "https://minio.local/b", "data/a.csv"],
    [{ type: "wiki", space: "team", page: "Home" }, "Home/team", "Home/team"],
    [{ type: "wiki", path: "Home", space: "team" }, "team", "Home"],
  ])("stand at one place in lists: %j", (binding, namespace, path) => {
    expect(locationOf(binding)).toEqual({ type: binding.type, namespace, path });
  });
});

describe("indexed fields", () => {
  const fieldsOf = (type: Parameters<typeof randomMaterial>[1]) => {
    const document = seal(randomMaterial(createRandom(4), type));
    return { document, fields: indexedFieldsOf(document) };
  };

  it("of a file are its location, and no session: files are shared", () => {
    const { document, fields } = fieldsOf("file");

    expect(fields).toEqual({ type: "file", location: document.source && locationOf(document.source) });
  });

  it("of a tool call are its session and its tool", () => {
    const { document, fields } = fieldsOf("toolcall");

    expect(fields).toEqual({ type: "toolcall", tool: document.tool, session: `${document.chat_ref}`.slice(5) });
  });

  it.each(["chat", "session", "system_prompt", "step", "keyframe", "lease"] as const)(
    "of a %s are its session",
    (type) => {
      const { document, fields } = fieldsOf(type);

      expect(fields).toEqual({ type, session: document["xt/id"].split(":")[1] });
    },
  );

  it("of an attachment are its type alone", () => {
    expect(fieldsOf("attachment").fields).toEqual({ type: "attachment" });
  });
});
