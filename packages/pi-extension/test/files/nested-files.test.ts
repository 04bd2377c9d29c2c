import { describe, expect, it } from "vitest";
import { fileTouchLimits } from "../../src/files/file-limits.ts";
import { NestedFiles, touchesOfRecord } from "../../src/files/nested-files.ts";
import type { RecordedTouch, ToolCall } from "../../src/files/recorded-touch.ts";
import { touchesOf } from "../../src/files/touches-of-call.ts";

const touched = (call: ToolCall) => touchesOf(call, { cwd: "/w", home: "/h" });
const read = (path: string): RecordedTouch => ({ path, as: "read" });

describe("files of nested calls", () => {
  it("are handed over once, with the model's call, whatever calls they were inside of", () => {
    const nested = new NestedFiles();

    // A call inside a call ends before the one that made it.
    nested.add("call_1/1", [read("/a")]);
    nested.add("call_1", [read("/b")]);
    nested.add("call_10", [read("/c")]);

    expect(nested.take("call_1")).toEqual([read("/a"), read("/b")]);
    expect(nested.take("call_1")).toEqual([]);
    expect(nested.take("call_10")).toEqual([read("/c")]);
  });

  it("stay bounded where a script calls tools without end, or results never come", () => {
    const nested = new NestedFiles();
    const many = Array.from({ length: 700 }, (_, n) => read(`/${n}`));

    nested.add("lost", [read("/lost")]);
    for (const n of Array(fileTouchLimits.parentsMax).keys()) nested.add(`call_${n}`, [read("/x")]);
    nested.add("call_9", many);
    nested.add("call_9", many);

    expect(nested.take("lost")).toEqual([]);
    expect(nested.take("call_9")).toHaveLength(fileTouchLimits.touchesPerCallMax);
  });

  it("are told by Pi's own record where a session is taken up again", () => {
    const record = {
      complete: true,
      calls: [
        { id: "c/1", name: "read", status: "ok", arguments: { path: "a.ts", limit: 3 } },
        { id: "c/2", name: "read", status: "error", arguments: { path: "gone.ts" }, error: "ENOENT" },
        { id: "c/3", name: "edit", status: "ok", arguments: { path: "b.ts" } },
        { id: "c/4", name: "write", status: "ok", argumentsBytes: 900_000 },
        "damaged",
      ],
    };

    expect(touchesOfRecord(record, touched)).toEqual([
      { path: "/w/a.ts", as: "read" },
      { path: "/w/b.ts", as: "edited" },
    ]);
    for (const none of [undefined, null, [], { calls: {} }, "x"]) {
      expect(touchesOfRecord(none, touched)).toEqual([]);
    }
  });
});
