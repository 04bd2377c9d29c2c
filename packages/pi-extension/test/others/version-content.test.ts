// Verifies: what others left of a message is sent block for block where it stands in full; no fold brings back more.
import { describe, expect, it } from "vitest";
import { versionContent } from "../../src/others/version-content.ts";
import { dot, text } from "../support/items.ts";

const strange = { type: "resource", uri: "x://y" } as never;
const shown = (content: unknown, given: string, more: object = {}) =>
  versionContent(content, { text: given, hasPictures: true, isTold: true, ...more });

describe("what others left of a message", () => {
  it("is sent as it is, with blocks of unknown kinds", () => {
    const content = [text("one"), strange, dot, text("two")];

    expect(shown(content, "one\ntwo")).toEqual(content);
  });

  it("has our lines around it", () => {
    expect(shown([text("one"), strange, text("two")], "id=t1\none\ntwo\n[cm: note]")).toEqual([
      text("id=t1\none"),
      strange,
      text("two\n[cm: note]"),
    ]);
    expect(shown([dot], "id=t1\n")).toEqual([text("id=t1\n"), dot]);
  });

  it.each([
    ["a text", "[pruned]", "[pruned]", [text("[pruned]")]],
    ["nothing at all", undefined, "", []],
  ])("may be %s", (_what, content, given, expected) => {
    expect(shown(content, given)).toEqual(expected);
  });

  it("folds as the prompt says, with no picture that they took out", () => {
    expect(shown([text("one\ntwo"), dot], "[cm: left out]")).toEqual([text("[cm: left out]"), dot]);
    expect(shown([text("one\ntwo")], "[cm: left out]")).toEqual([text("[cm: left out]")]);
    expect(shown([text("one\ntwo"), dot], "[cm: left out]", { hasPictures: false })).toEqual([text("[cm: left out]")]);
  });

  it("is sent whole where the prompt was made before they did it", () => {
    expect(shown([text("[REDACTED]")], "id=t1\nHUSH-4711", { isTold: false })).toEqual([text("[REDACTED]")]);
  });
});
