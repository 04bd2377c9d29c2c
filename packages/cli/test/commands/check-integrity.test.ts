// Verifies: F13: what is damaged comes with a next step that its store can take.
import { expect, it } from "vitest";
import { checkIntegrity } from "../../src/doctor/check-integrity.ts";

it.each([
  [true, /run cm doctor --recover NEW-FILE/],
  [false, /^Restore the database from a backup; cm verify names what is damaged\.$/],
])("a damaged store that is a file (%s) is recovered, any other restored", (isFile, next) => {
  const [line] = checkIntegrity({ problems: ["1 objects have no version."] }, isFile);

  expect(line).toMatchObject({ status: "fail", text: "1 objects have no version.", next: expect.stringMatching(next) });
});
