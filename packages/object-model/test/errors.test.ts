import { describe, expect, it, vi } from "vitest";
import { CmError, isCmError } from "../src/index.ts";

describe("CmError", () => {
  it("is recognised across two copies of this package", async () => {
    vi.resetModules();
    const copy = await import("../src/errors.ts");
    const theirs = new copy.CmError("store/conflict", "Read again.", { ids: ["call_1"] });

    expect(theirs).not.toBeInstanceOf(CmError);
    expect(isCmError(theirs)).toBe(true);
    expect(isCmError(theirs, "store/conflict")).toBe(true);
    expect(isCmError(theirs, "store/closed")).toBe(false);
  });

  it.each([undefined, null, "store/conflict", 1, {}, new Error("store/conflict"), { code: "store/conflict" }])(
    "is not taken for %s",
    (value) => {
      expect(isCmError(value)).toBe(false);
    },
  );

  it("turns into JSON of code, message and data, without its cause and its stack", () => {
    const error = new CmError("store/limit", "Too long.", { bound: 3 }, { cause: new Error("secret") });

    expect(JSON.parse(JSON.stringify(error))).toEqual({
      code: "store/limit",
      message: "Too long.",
      data: { bound: 3 },
    });
    expect(error).toBeInstanceOf(Error);
    expect(`${error}`).toBe("CmError: Too long.");
  });
});
