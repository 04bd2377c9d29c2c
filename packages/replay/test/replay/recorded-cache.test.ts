// Verifies: cache lifetime from recorded times: a request after a longer pause, or to another model, finds nothing cached.
import { describe, expect, it } from "vitest";
import type { ModelCall } from "../../src/calls/model-calls.ts";
import { type Lifetime, RecordedCache } from "../../src/calls/recorded-cache.ts";

const minute = 60_000;

describe("the recorded cache", () => {
  it.each<[string, Lifetime, number | undefined, readonly string[]]>([
    ["never forgets where it is told so", "never", 5 * minute, ["warm", "warm", "warm"]],
    ["lives as long as the prices say", "recorded", 5 * minute, ["warm", "warm", "cold"]],
    ["never forgets where the prices do not say", "recorded", undefined, ["warm", "warm", "warm"]],
    ["lives as many minutes as it is told", { minutes: 3 }, 60 * minute, ["warm", "cold", "cold"]],
  ])("%s", (_what, lifetime, lifetimeMs, expected) => {
    const cache = new RecordedCache(lifetime, lifetimeMs === undefined ? {} : { lifetimeMs });

    const states = [call(0, 1), call(5, 6), call(12, 13)].map((one) => cache.next(one));

    expect(states).toEqual(expected);
  });

  it("counts the pause up to the newest result where nothing else came in between", () => {
    const cache = new RecordedCache({ minutes: 5 }, {});

    const states = [call(0, 1, { resultAt: 9 }), call(undefined, 10)].map((one) => cache.next(one));

    expect(states).toEqual(["warm", "cold"]);
  });

  it("is another one for another model, but not for answers that no model gave", () => {
    const cache = new RecordedCache("recorded", {});

    const models = ["sonnet", "<synthetic>", "sonnet", "opus", undefined, "opus"];
    const states = models.map((model, at) => cache.next(call(at, at, { model })));

    expect(states).toEqual(["warm", "warm", "warm", "cold", "warm", "warm"]);
  });

  it("is warm where times are not recorded", () => {
    const cache = new RecordedCache({ minutes: 1 }, {});

    expect([call(undefined, undefined), call(undefined, undefined)].map((one) => cache.next(one))).toEqual([
      "warm",
      "warm",
    ]);
  });
});

/** A call whose prompt and answer came at these minutes. */
function call(
  promptAt: number | undefined,
  answerAt: number | undefined,
  { resultAt, model }: { readonly resultAt?: number; readonly model?: string | undefined } = {},
): ModelCall {
  const at = (minutes: number | undefined) => (minutes === undefined ? {} : { at: new Date(minutes * minute) });
  return {
    before: promptAt === undefined ? [] : [{ kind: "user", text: "go on", attachments: [], ...at(promptAt) }],
    answer: {
      ...{ kind: "assistant", text: "", thinking: [], calls: [], ...at(answerAt) },
      ...(model === undefined ? {} : { model }),
    },
    results:
      resultAt === undefined
        ? []
        : [{ kind: "result", callId: "c", tool: "bash", text: "", failed: false, attachments: [], ...at(resultAt) }],
  };
}
