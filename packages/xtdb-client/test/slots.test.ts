// Verifies: a call that is over takes no slot with it, however it came to its end.
import { setImmediate } from "node:timers/promises";
import { describe, expect, it, onTestFinished } from "vitest";
import { Call } from "../src/call.ts";
import { clientLimits } from "../src/limits.ts";
import { Slots } from "../src/slots.ts";
import { rejected } from "./support/thrown.ts";

describe("a call that is stopped while it waits for a slot", () => {
  it("leaves the queue, and the slot goes to the one behind it", async () => {
    const slots = new Slots(1);
    const entered: string[] = [];
    const enter = (name: string, call: Call) => slots.enter(call, name).then(() => void entered.push(name));
    const controller = new AbortController();
    await enter("first", patientCall());
    const stopped = rejected(enter("stopped", patientCall(controller.signal)));
    void enter("behind", patientCall());

    controller.abort();
    const error = await stopped;
    slots.release();
    await setImmediate();

    expect(error.code).toBe("xtdb/aborted");
    expect(entered).toEqual(["first", "behind"]);
  });

  it("leaves a slot free that is released after it", async () => {
    const slots = new Slots(1);
    const controller = new AbortController();
    await slots.enter(patientCall(), "first");
    const stopped = rejected(slots.enter(patientCall(controller.signal), "stopped"));
    controller.abort();
    await stopped;
    let isIn = false;

    slots.release();
    void slots.enter(patientCall(), "next").then(() => {
      isIn = true;
    });
    await setImmediate();

    expect(isIn).toBe(true);
  });
});

it("a call that is over already takes no slot", async () => {
  const slots = new Slots(1);
  let isIn = false;

  const error = await rejected(slots.enter(patientCall(AbortSignal.abort()), "over"));
  void slots.enter(patientCall(), "next").then(() => {
    isIn = true;
  });
  await setImmediate();

  expect(error.code).toBe("xtdb/aborted");
  expect(isIn).toBe(true);
});

it("slots are given in the order in which they were asked for, and never more than there are", async () => {
  const slots = new Slots(2);
  const entered: number[] = [];
  for (let n = 0; n < 5; n += 1) void slots.enter(patientCall(), "call").then(() => void entered.push(n));
  await setImmediate();
  const atFirst = [...entered];

  for (let n = 0; n < 3; n += 1) slots.release();
  await setImmediate();

  expect(atFirst).toEqual([0, 1]);
  expect(entered).toEqual([0, 1, 2, 3, 4]);
});

/** A call that only its signal ends. */
function patientCall(signal?: AbortSignal): Call {
  const call = new Call({ signal }, clientLimits.deadlineMsMax);
  onTestFinished(() => call.end());
  return call;
}
