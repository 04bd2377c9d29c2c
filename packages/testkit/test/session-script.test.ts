// Verifies: a script tells the same session to a host and to a recorded session.
import type { ContextHost, RenderedPrompt, StepRecord } from "@cm/context-log";
import { describe, expect, it } from "vitest";
import { openSimplePolicy, RecordedSession, ScriptedSession, SessionScript } from "../src/index.ts";

const bindingOf = (path: string) => ({ type: "filesystem" as const, filesystemId: "fs", path });
const picture = { mime: "image/png", data: new Uint8Array([1, 2, 3]) };

/** A morning's work with a little of everything. */
const morning = (script: SessionScript) =>
  script
    .say("Fix the test.", [picture])
    .read("/a.ts", "let a = 1;")
    .together(
      (answer) => {
        answer.edit("/a.ts", "1", "2").run("npm test", undefined, { callId: "slow" });
      },
      { text: "I change it.", thinking: [{ text: "Hm.", signature: "s" }] },
    )
    .late("slow", "2 failed", { failed: true })
    .write("/b.ts", "let b;", { attachments: [picture] })
    .answer("Done.", { usage: { input: 1, output: 2, cacheRead: 3, cacheWrite: 4 } });

/** A host that writes down what it is told. */
function listening() {
  const heard: unknown[] = [];
  const host: Pick<ContextHost, "receive" | "assemble" | "record"> = {
    receive: async (messages) => void heard.push(["receive", messages]),
    assemble: async () => {
      heard.push("assemble");
      return { messages: [], chars: heard.length } as unknown as RenderedPrompt;
    },
    record: async (record: StepRecord) => {
      heard.push(["record", record]);
      return {} as never;
    },
  };
  return { heard, host };
}

describe("a script of a session", () => {
  it("tells a host each thing in its order, with files, pictures, tokens and results that come late", async () => {
    const { heard, host } = listening();

    const prompts = await morning(new SessionScript({ bindingOf })).playInto(host);

    const read = { binding: bindingOf("/a.ts"), as: "read", span: { startLine: 1 } };
    const result = { role: "tool", failed: false };
    expect(prompts.length).toBe(4);
    expect(heard).toEqual([
      ["receive", [{ role: "user", text: "Fix the test.", attachments: [picture] }]],
      "assemble",
      [
        "record",
        {
          answer: { role: "assistant", text: "", calls: [{ callId: "c0", tool: "read", args: { path: "/a.ts" } }] },
          results: [{ ...result, callId: "c0", text: "let a = 1;", files: [read] }],
        },
      ],
      "assemble",
      [
        "record",
        {
          answer: {
            role: "assistant",
            text: "I change it.",
            thinking: [{ text: "Hm.", signature: "s" }],
            calls: [
              { callId: "c1", tool: "edit", args: { path: "/a.ts", oldText: "1", newText: "2" } },
              { callId: "slow", tool: "bash", args: { command: "npm test" } },
            ],
          },
          results: [
            { ...result, callId: "c1", text: "Edited.", files: [{ binding: bindingOf("/a.ts"), as: "edited" }] },
          ],
        },
      ],
      ["receive", [{ role: "tool", callId: "slow", text: "2 failed", failed: true }]],
      "assemble",
      [
        "record",
        {
          answer: {
            role: "assistant",
            text: "",
            calls: [{ callId: "c3", tool: "write", args: { path: "/b.ts", content: "let b;" } }],
          },
          results: [
            {
              ...{ ...result, callId: "c3", text: "Written.", attachments: [picture] },
              files: [{ binding: bindingOf("/b.ts"), as: "edited" }],
            },
          ],
        },
      ],
      "assemble",
      [
        "record",
        {
          answer: { role: "assistant", text: "Done." },
          usage: { input: 1, output: 2, cacheRead: 3, cacheWrite: 4 },
        },
      ],
    ]);
  });

  it("gives a recorded session the same, told at once or as it happens", () => {
    const options = openSimplePolicy();
    const after = new RecordedSession(options);
    for (const event of morning(new SessionScript()).events) {
      if (event.kind === "assistant") after.request();
      after.add(event);
    }

    const live = new ScriptedSession(options);
    morning(live);

    expect(live.session.log).toEqual(after.log);
    expect(live.session.log.map(({ kind }) => kind).join()).toBe(
      "user,assistant,result,assistant,result,result,assistant,result,assistant",
    );
    expect(live.request().prompt).toEqual(after.request().prompt);
    expect(live.lastCall).toBe("c3");
  });

  it("shows what stands in a request for a call", () => {
    const script = new ScriptedSession(openSimplePolicy()).say("Do it.").run("make", "made").idle(2);

    const request = script.request();

    expect(request.shown("c0")).toBe("made");
    expect(request.shown("nothing")).toBe("");
    expect(request.view.step).toBe(3);
  });

  it("refuses what cannot happen within an answer", () => {
    const script = () => new SessionScript().say("Do it.");

    expect(() => script().together((answer) => void answer.say("Wait."))).toThrow(/Nothing arrives within an answer/);
    expect(() => script().together((answer) => void answer.answer("Done."))).toThrow(/Only calls stand/);
    expect(() => script().together((answer) => void answer.together(() => {}))).toThrow(/An answer holds no other/);
  });
});
