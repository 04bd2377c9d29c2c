// @module-tag process
// Verifies: SSOT 5.6, F11
import { afterEach, expect, it } from "vitest";
import { bounds, closeSources, freshBucket, sourceOn, withServer } from "./support/s3-world.ts";

withServer("wrong credentials", () => {
  afterEach(closeSources);

  it.each([
    ["a wrong secret", { accessKeyId: "test", secretAccessKey: "wrong" }],
    ["an unknown id", { accessKeyId: "nobody", secretAccessKey: "testsecret" }],
  ])("make all unreachable and nothing absent: %s", async (_what, credentials) => {
    const bucket = await freshBucket();
    const etag = await bucket.put("there", "text");
    const source = sourceOn(undefined, { credentials });
    const bindings = [bucket.binding("there"), bucket.binding("missing")];

    const answers = await source.observe(
      bindings.flatMap((binding) => [
        { binding },
        { binding, known: { sourceHash: etag } },
        { binding, want: "existence" as const },
      ]),
      bounds,
    );

    expect(answers.map(({ kind }) => kind)).toEqual(Array(6).fill("unreachable"));
    for (const answer of answers) {
      expect(["credentials refused", "access denied"]).toContain(answer.kind === "unreachable" && answer.reason);
    }
  });

  it("make what is tracked orphaned", async () => {
    const bucket = await freshBucket();
    await bucket.put("there", "text");
    const source = sourceOn(undefined, { credentials: { accessKeyId: "test", secretAccessKey: "wrong" } });
    const tracker = source.track(() => {});

    await tracker.follow([bucket.binding("there")]);

    expect(tracker.states()).toMatchObject([{ state: "orphaned", reason: "access denied" }]);
  });
});
