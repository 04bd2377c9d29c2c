// @module-tag process
// Verifies: SSOT 5.6, 5.9
import { ListObjectVersionsCommand } from "@aws-sdk/client-s3";
import { afterEach, expect, it } from "vitest";
import { closeSources, freshBucket, observed, outside, sourceOn, withServer } from "./support/s3-world.ts";

withServer("an object in a versioned bucket", () => {
  afterEach(closeSources);

  it("is its newest version, whose id is remembered", async () => {
    const bucket = await freshBucket({ versioned: true });
    await bucket.put("a", "one");
    const etag = await bucket.put("a", "two");
    const { Versions = [] } = await outside.send(new ListObjectVersionsCommand({ Bucket: bucket.name }));
    const newest = Versions.find(({ IsLatest }) => IsLatest)?.VersionId;

    const observation = await observed(sourceOn(), { binding: bucket.binding("a") });

    expect(newest).toBeTypeOf("string");
    expect(observation).toEqual({
      kind: "present",
      sourceHash: etag,
      content: { text: "two" },
      state: { sourceHash: etag, hint: newest },
    });
  });

  it("is absent behind a delete marker and present again without it", async () => {
    const bucket = await freshBucket({ versioned: true });
    const etag = await bucket.put("a", "one");
    const source = sourceOn();
    const request = { binding: bucket.binding("a"), known: { sourceHash: etag } };
    const existence = { binding: bucket.binding("a"), want: "existence" as const };

    await bucket.remove("a");
    const deleted = [await observed(source, request), await observed(source, existence)];
    const { DeleteMarkers = [] } = await outside.send(new ListObjectVersionsCommand({ Bucket: bucket.name }));
    for (const { VersionId } of DeleteMarkers) await bucket.remove("a", VersionId);
    const undeleted = [await observed(source, request), await observed(source, existence)];

    expect(DeleteMarkers).toHaveLength(1);
    expect(deleted).toEqual([{ kind: "absent" }, { kind: "absent" }]);
    expect(undeleted.map(({ kind }) => kind)).toEqual(["unchanged", "exists"]);
  });

  it("falls back to the version before when the newest is erased", async () => {
    const bucket = await freshBucket({ versioned: true });
    await bucket.put("a", "one");
    const etag = await bucket.put("a", "two");
    const source = sourceOn();
    const read = await observed(source, { binding: bucket.binding("a") });
    const state = "state" in read ? read.state : {};

    await bucket.remove("a", state.hint);

    expect(await observed(source, { binding: bucket.binding("a"), known: { sourceHash: etag } })).toMatchObject({
      kind: "present",
      content: { text: "one" },
    });
  });
});
