// Verifies: SSOT 4.3
import { defaultPrices, type LogEntry } from "@cm/context-log";
import { expect, it } from "vitest";
import { limits } from "../../src/limits.ts";
import { ssotWindowPolicy } from "../../src/policies/ssot-window.ts";
import { objectsOf, viewOf } from "../support/views.ts";

/** Turns of seven calls each, `t{turn}.{call}`, and one file. */
const ids = Array.from({ length: 35 }, (_, call) => `t${Math.floor(call / 7)}.${call % 7}`);
const log = ids.map((object, at): LogEntry => {
  const place = { at, step: at, turn: Math.floor(at / 7) };
  const call = { callId: object, object, tool: "bash", args: {}, files: [], spans: [], attachments: [] };
  return { kind: "result", ...place, ...call, status: "ok", text: "x" };
});
const objects = objectsOf(...ids.map((id) => ({ id, alias: id, kind: "toolcall" as const, text: "x" })), {
  id: "file",
  alias: "f1",
  kind: "file",
  text: "x",
});
const decide = (given: Parameters<typeof viewOf>[0], window?: Parameters<typeof ssotWindowPolicy>[0]) =>
  ssotWindowPolicy(window).decide(viewOf({ step: 35, turn: 4, log, objects, ...given }), defaultPrices);

it("The five newest calls of the last three turns stay; all other calls leave, files never.", () => {
  const active = new Set([...ids, "file"]);

  const { deactivate = [] } = decide({ sets: { active } });

  expect(ids.filter((id) => !deactivate.includes(id))).toEqual(
    [2, 3, 4].flatMap((turn) => [2, 3, 4, 5, 6].map((call) => `t${turn}.${call}`)),
  );
  expect(deactivate).not.toContain("file");
});

it("A call whose output no request could carry leaves at once, unless it is pinned or was asked for.", () => {
  const long = { ...log[34], text: "x".repeat(limits.arrivalCharsMax + 1) } as LogEntry;
  const given = { log: [...log.slice(0, 34), long] };

  expect(decide({ ...given, sets: { active: new Set(["t4.5", "t4.6"]) } })).toEqual({ deactivate: ["t4.6"] });
  expect(decide({ ...given, sets: { active: new Set(["t4.6"]), pinned: new Set(["t4.6"]) } })).toEqual({});
});

it("A pinned call stays, and one that the agent just asked for.", () => {
  const sets = { active: new Set(["t0.0", "t0.1", "t0.2"]), pinned: new Set(["t0.0"]), requested: new Set(["t0.1"]) };

  expect(decide({ sets })).toEqual({ deactivate: ["t0.2"] });
});

it("A narrower window keeps less, and where all is in the window nothing is decided.", () => {
  const sets = { active: new Set(["t4.6", "t4.5", "t3.6"]) };

  expect(decide({ sets }, { perTurn: 1, turnsBack: 1 })).toEqual({ deactivate: ["t3.6", "t4.5"] });
  expect(decide({ sets })).toEqual({});
});
