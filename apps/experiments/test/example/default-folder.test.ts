import { existsSync } from "node:fs";
import { basename, join } from "node:path";
import { describe, expect, it } from "vitest";
import { defaultFolder } from "../../src/example/default-folder.ts";
import { workingFolder } from "./working-folder.ts";

const folder = workingFolder();

describe("the default folder", () => {
  it("is found from the sources and from the bundle alike", () => {
    const app = join(import.meta.dirname, "..", "..");

    expect(basename(defaultFolder())).toBe("src");
    expect(existsSync(join(defaultFolder(), "index.ts"))).toBe(true);
    expect(defaultFolder(join(app, "dist"))).toBe(defaultFolder());
  });

  it("is refused outside a clone, with a word on what to do", () => {
    expect(() => defaultFolder(folder.at("."))).toThrow(
      expect.objectContaining({
        code: "example/no-repository",
        message: expect.stringContaining("run the example from a clone of the repository"),
      }),
    );
  });
});
