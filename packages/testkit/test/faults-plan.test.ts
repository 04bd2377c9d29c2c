// Verifies: which requests a plan meets.
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type FaultProxy, type FaultRule, openFaultProxy } from "../src/index.ts";
import { Asker } from "./support/http-asking.ts";
import { type HttpTarget, openHttpTarget } from "./support/http-target.ts";

let target: HttpTarget;
let proxy: FaultProxy;
let asker: Asker;

beforeEach(async () => {
  target = await openHttpTarget();
  proxy = await openFaultProxy({ target, plan: [{ fault: "error-500", nth: 2 }] });
  asker = new Asker(proxy.url);
});

afterEach(async () => {
  asker.close();
  await proxy.close();
  await target.close();
});

async function statuses(count: number, question = {}): Promise<string> {
  const got: number[] = [];
  for (let n = 0; n < count; n += 1) got.push((await asker.ask(question)).status);
  return got.join(" ");
}

describe("a plan", () => {
  it("meets the n-th request, once", async () => {
    expect(await statuses(4)).toBe("200 500 200 200");
  });

  it("begins a new round: it counts from one and forgets what it saw", async () => {
    await statuses(3);

    await proxy.plan([{ fault: "error-500", nth: 2, times: 2 }]);

    expect(await statuses(4)).toBe("200 500 500 200");
    expect(proxy.seen.map(({ n, fault }) => `${n} ${fault ?? "passed"}`)).toEqual([
      "1 passed",
      "2 error-500",
      "3 error-500",
      "4 passed",
    ]);
  });

  it("counts for a rule only the requests of its method and path", async () => {
    await proxy.plan([
      { fault: "error-500", method: "POST", path: /^\/chunk/g, nth: 2, times: Number.POSITIVE_INFINITY },
    ]);

    expect(await statuses(2, { method: "POST" })).toBe("200 200");
    expect(await statuses(2, { path: "/chunked" })).toBe("200 200");
    expect(await statuses(3, { method: "POST", path: "/chunked?x" })).toBe("200 500 500");
  });

  it("goes by the first rule that meets a request, and the others count it too", async () => {
    await proxy.plan([
      { fault: "error-500", nth: 2 },
      { fault: "redirect", nth: 2, times: 2 },
    ]);

    expect(await statuses(4)).toBe("200 500 307 200");
  });

  it.each<[string, FaultRule]>([
    ["There is no fault", { fault: "unheard-of" as never }],
    ["nth is", { fault: "never", nth: 0 }],
    ["nth is", { fault: "never", nth: 1.5 }],
    ["times is", { fault: "never", times: 0 }],
    ["times is", { fault: "never", times: Number.NaN }],
    ["heldFor is", { fault: "late", heldFor: -1 }],
    ["needs the target's reply", { fault: "truncated", forward: false }],
    ["reset forwards nothing", { fault: "reset", forward: true }],
  ])("is refused with a reason that begins with: %s", async (reason, rule) => {
    await expect(proxy.plan([rule])).rejects.toThrow(reason);
    await expect(openFaultProxy({ target, plan: [rule] })).rejects.toThrow(TypeError);
  });

  it("has a bound, and so has the drip", async () => {
    const rules = Array.from({ length: 1_001 }, (): FaultRule => ({ fault: "never" }));

    await expect(proxy.plan(rules)).rejects.toThrow("at most 1000 rules");
    await expect(openFaultProxy({ target, dripMs: 0 })).rejects.toThrow("dripMs is from 1");
  });
});
