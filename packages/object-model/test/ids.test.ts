// Verifies: SSOT 2.4, T5
import { describe, expect, it } from "vitest";
import {
  chatId,
  coreDocumentTypes,
  createMemoryStore,
  isCmError,
  isInfrastructureId,
  isSessionId,
  isSha256,
  keyframeId,
  leaseId,
  limits,
  objectIdOf,
  parseSessionId,
  sealDocument,
  sessionObjectId,
  sessionOfReference,
  sha256,
  stepId,
  systemPromptId,
  toolCallIds,
} from "../src/index.ts";
import { randomText } from "./random/json.ts";
import { createRandom, runsOf } from "./random/random.ts";

const step = { session: "s1", n: 7 };

describe("ids of tool calls", () => {
  it("are the call's own id first, then with session, step and place", () => {
    expect(toolCallIds("call_1", step, 2)).toEqual(["call_1", "call_1@s1", "call_1@s1#7", "call_1@s1#7.2"]);
  });

  it.each(["session:s1", "chat:x", "step:s1:0", "attachment:y", "note:z", sha256("a"), "call_1@s1", ""])(
    "carry the session at once where the call's id could be another object's: %j",
    (callId) => {
      expect(toolCallIds(callId, step, 0)).toEqual([`${callId}@s1`, `${callId}@s1#7`, `${callId}@s1#7.0`]);
    },
  );

  it("are accepted as ids of tool calls, whatever the provider sends", () => {
    const toolcall = coreDocumentTypes.get("toolcall");
    const random = createRandom(1);

    for (let n = 0; n < 2_000; n += 1) {
      const callId = random.pick([
        randomText(random, 40),
        `${random.pick(["session:", "\ud800", "a@"])}${n}`,
        "x".repeat(n),
      ]);

      for (const id of toolCallIds(callId, { session: "s".repeat(limits.sessionIdCharsMax), n: 2 ** 31 }, 99)) {
        expect(id.isWellFormed() && id.length <= limits.idCharsMax && toolcall?.acceptsId(id)).toBe(true);
      }
    }
  });
});

describe("ids of sessions", () => {
  it.each(["s1", "2026-11-22T10.00", "A_b-c.9", "s1~0f3a", "x".repeat(limits.sessionIdCharsMax)])("may be %s", (id) => {
    expect(isSessionId(id)).toBe(true);
    expect(parseSessionId(id)).toBe(id);
  });

  it.each([
    "",
    " ",
    "a b",
    "a:b",
    "a/b",
    "../a",
    ".a",
    "~a",
    "a@b",
    "a\n",
    "é",
    "x".repeat(limits.sessionIdCharsMax + 1),
  ])("may not be %j", (id) => {
    expect(() => parseSessionId(id)).toThrow(expect.objectContaining({ code: "model/invalid-id" }));
  });

  it("make the ids of a session's infrastructure, and are found again in a reference", () => {
    const ids = [chatId, sessionObjectId, systemPromptId, leaseId].map((idOf) => idOf("s1"));

    expect(ids).toEqual(["chat:s1", "session:s1", "system_prompt:s1", "lease:s1"]);
    expect([stepId(step), keyframeId(step)]).toEqual(["step:s1:7", "keyframe:s1:7"]);
    expect(ids.map(sessionOfReference)).toEqual(["s1", "s1", "s1", "s1"]);
    expect(ids.every(isInfrastructureId)).toBe(true);
  });
});

describe("object ids", () => {
  it("of sourced objects are hashes, of unsourced ones what they were given", () => {
    expect(isSha256(objectIdOf({ type: "file", source: { type: "s3", bucket: "b", key: "k" } }))).toBe(true);
    expect(objectIdOf({ type: "toolcall", id: "call_1" })).toBe("call_1");
  });
});

describe("colliding ids", () => {
  it("never change an object's envelope, for random pairs", async () => {
    const { seed, runs } = runsOf(2_000, 1_000_000);
    const random = createRandom(seed);
    const promptType = coreDocumentTypes.get("system_prompt");
    if (promptType === undefined) throw new Error("The core types have no system prompt.");
    const named = (type: string) => ({ ...promptType, type, acceptsId: () => true });
    const types = coreDocumentTypes.extend(named("note"), named("memo"));
    const store = createMemoryStore({ types });
    const text = { content: "a", session_ref: "session:s1" };
    const call = { content: "a", tool: "bash", args: {}, status: "ok", chat_ref: "chat:s1" };
    const sealed = (type: string, id: string) => sealDocument({ type, id }, type === "toolcall" ? call : text, types);
    const forgedCall = sealed("toolcall", "call_0");

    for (let n = 0; n < runs; n += 500) {
      const ids = Array.from(
        { length: 500 },
        (_, place) => `${random.pick(["call_", "chat:", "x@", "é"])}${n + place}`,
      );
      const first = ids.map((id) => sealed("note", id));
      await store.commit(first.map((document) => ({ document, expect: "absent" })));

      for (const [place, id] of ids.entries()) {
        const collides = [sealed("memo", id), { ...forgedCall, "xt/id": id }, { ...first[place], type: "memo" }];
        const document = { ...sealed("memo", id), ...collides[(n + place) % 3] };
        const error: unknown = await store.commit([{ document, expect: "any" }]).catch((e) => e);
        if (!isCmError(error, "store/envelope-changed") && !isCmError(error, "store/invalid-document")) {
          expect(error).toBe("a refusal");
        }
      }

      const found = await store.getMany(ids);
      expect(ids.filter((id) => found.get(id)?.type !== "note")).toEqual([]);
      expect(ids.filter((id, place) => found.get(id)?.document !== first[place])).toEqual([]);
    }
  });
});
