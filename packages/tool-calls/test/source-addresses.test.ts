import { describe, expect, it } from "vitest";
import { sourceAddresses } from "../src/source-addresses.ts";

describe("the addresses in a command", () => {
  it.each([
    ["git show main:docs/a.md | head", [{ kind: "git", ref: "main", path: "docs/a.md" }]],
    ["git -C /srv/app --no-pager show 'v1:a b.md'", [{ kind: "git", folder: "/srv/app", ref: "v1", path: "a b.md" }]],
    ["(git cat-file -p HEAD:./a)", [{ kind: "git", ref: "HEAD", path: "./a" }]],
    ["git show main; git show HEAD~1", []],
    ["git show :staged.txt", []],
    ["aws s3 cp s3://notes/a/b.md -", [{ kind: "s3", bucket: "notes", key: "a/b.md", does: "read" }]],
    ["aws s3 rm s3://notes/a", [{ kind: "s3", bucket: "notes", key: "a", does: "edit" }]],
    ["aws s3 ls s3://notes/a s3://notes/b/", [{ kind: "s3", bucket: "notes", key: "a", does: "list" }]],
    [
      "aws --endpoint-url http://127.0.0.1:9000 s3 cp s3://notes/a .",
      [{ kind: "s3", bucket: "notes", key: "a", does: "read", endpoint: "http://127.0.0.1:9000" }],
    ],
    ["s3://notes/a", [{ kind: "s3", bucket: "notes", key: "a", does: "read" }]],
    ["echo s3://N/a https://notes/a", []],
  ])("of `%s` are found", (command, found) => {
    expect(sourceAddresses(command)).toEqual(found);
  });

  it("are looked for in time that grows with the text alone", () => {
    for (const piece of ["git show ", "git -C ", "s3://aa/", "--endpoint-url ", "git \t"])
      expect(sourceAddresses(piece.repeat(100_000)).length).toBeLessThan(20_000);
  });
});
