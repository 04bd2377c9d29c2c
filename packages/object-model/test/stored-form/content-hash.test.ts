// Verifies: F13: where damage put another row in a version's place, its hash is called damaged and not read as bytes.
import { isCmError } from "@cm/object-model";
import { contentHashOf } from "@cm/object-model/stored-form";
import { expect, it } from "vitest";

it("A hash is its bytes in hexadecimal.", () => {
  expect(contentHashOf(Uint8Array.of(0, 171, 16), "f1")).toBe("00ab10");
});

it.each([null, undefined, 7, 7n, "00ab10"])("A column that holds %o is damage of the object.", (column) => {
  let thrown: unknown;
  try {
    contentHashOf(column as never, "f1");
  } catch (error) {
    thrown = error;
  }

  expect(isCmError(thrown, "store/corrupt") && thrown.message).toBe(
    "The content hash of f1 is damaged; restore it from a copy.",
  );
});
