// Verifies: a wait ends at its deadline, whether or not what was asked for ever answers.
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { withDeadline, withinBounds } from "../../src/index.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const never = new Promise<never>(() => {});

it("gives the answer that comes in time, and leaves no timer behind", async () => {
  expect(await withDeadline(Promise.resolve("answer"), 100, () => "late")).toBe("answer");
  expect(vi.getTimerCount()).toBe(0);
});

it("gives what stands for a late answer, not before the time", async () => {
  const seen: string[] = [];
  const waiting = withDeadline(never, 100, () => "late").then((answer) => seen.push(answer));

  await vi.advanceTimersByTimeAsync(99);
  expect(seen).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  await waiting;
  expect(seen).toEqual(["late"]);
});

it("throws what the late answer throws, and hears no failure that comes after it", async () => {
  const work = Promise.withResolvers<never>();
  const waiting = expect(
    withDeadline(work.promise, 100, () => {
      throw new Error("late");
    }),
  ).rejects.toThrow("late");

  await vi.advanceTimersByTimeAsync(100);
  await waiting;
  work.reject(new Error("not heard"));
});

const late = () => new Error("late");
const stopped = (reason: unknown) => new Error(`stopped: ${reason}`);

it("ends work that does not listen, at its deadline or when a signal speaks", async () => {
  const outer = new AbortController();
  const signals = [undefined, outer.signal];
  const byTime = expect(withinBounds({ deadlineMs: 100, signals, late, stopped }, () => never)).rejects.toThrow("late");
  await vi.advanceTimersByTimeAsync(100);
  await byTime;

  const bySignal = withinBounds({ deadlineMs: 100, signals, late, stopped }, () => never);
  outer.abort("enough");
  await expect(bySignal).rejects.toThrow("stopped: enough");
  expect(vi.getTimerCount()).toBe(0);
});

it("does not begin work whose signal has spoken, and tells work that has begun", async () => {
  const told: string[] = [];
  const work = (name: string) => (signal: AbortSignal) => {
    told.push(`${name} begins`);
    signal.addEventListener("abort", () => told.push(`${name} ends`));
    return never;
  };
  const outer = new AbortController();
  const bounds = { deadlineMs: 100, signals: [outer.signal], late, stopped };

  const begun = withinBounds(bounds, work("first"));
  outer.abort();
  await expect(begun).rejects.toThrow("stopped");
  await expect(withinBounds(bounds, work("second"))).rejects.toThrow("stopped");
  expect(told).toEqual(["first begins", "first ends"]);
});
