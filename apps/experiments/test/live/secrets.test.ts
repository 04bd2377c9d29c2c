// @module-tag process
// Verifies: the endpoint's key is in no request, no document and no result, whatever brings it up.
import { createMemoryStore, type ObjectStore } from "@cm/object-model";
import { describe, expect, it } from "vitest";
import { key, runAnswers, taskOf } from "./support/scripted-run.ts";

async function documentsOf(store: ObjectStore): Promise<string> {
  const types = ["file", "toolcall", "step", "session", "session_state", "system_prompt"];
  const pages = await Promise.all(types.map((type) => store.find({ type }, { documents: true })));
  return JSON.stringify(pages);
}

describe.each(["openai", "anthropic"] as const)("the key of an endpoint of %s", (protocol) => {
  it("is redacted where a model, a file or a command says it", async () => {
    const store = createMemoryStore();
    const bodies: string[] = [];
    const answers = [
      { text: `Is ${key} it?`, calls: [{ tool: "bash", args: { command: `echo ${key}` } }] },
      { calls: [{ tool: "read", args: { path: "a.txt" } }] },
      { text: "ANSWER: yes" },
    ];

    const task = taskOf({ "a.txt": `the key is ${key}\n` });
    const result = await runAnswers(task, answers, {
      ...{ protocol, policy: "log", store },
      onBody: (_path, body) => bodies.push(body),
    });

    expect(bodies).toHaveLength(3);
    expect(bodies.join()).toContain("[redacted:live-key]");
    for (const text of [bodies.join(), await documentsOf(store), JSON.stringify(result)])
      expect(text).not.toContain(key);
  });
});
