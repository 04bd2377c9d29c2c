// Verifies: SSOT 5.1: what `view()` gives is a value: a caller cannot change it, and it stays as it is.
import type { ContextView } from "@cm/context-log";
import { createMemoryStore } from "@cm/object-model";
import { layouts } from "@cm/render";
import { beforeEach, describe, expect, it } from "vitest";
import { openSession, type Session } from "../src/index.ts";
import { MapSource } from "./support/map-source.ts";
import { reads, user } from "./support/messages.ts";

describe("a view", () => {
  let session: Session;
  beforeEach(async () => {
    const source = new MapSource();
    source.files.set("/a", "text of a\n".repeat(50));
    session = await openSession({ store: createMemoryStore(), layout: layouts.log, sources: [source], session: "s" });
    await session.receive([user("Look.")]);
    await session.assemble();
    await session.record(reads("/a", "shown\n".repeat(50), "c1"));
    await session.command({ action: "deactivate", id: "t1" });
  });

  it("stays as it is while the session goes on", async () => {
    const view = session.view();
    const before = structuredClone(view);

    await session.receive([user("And now?")]);
    await session.assemble({ cache: "cold", systemPrompt: "Be brief." });
    await session.record(reads("/a", "again", "c2"));
    await session.erase(["t1"], "a test");

    expect(view).toEqual(before);
    expect(session.view()).not.toEqual(before);
  });

  const changes: Readonly<Record<string, (view: Loose<ContextView>) => unknown>> = {
    "a member": (view) => (view.step = 9),
    "an entry of the log": (view) => (view.log[0].text = "other"),
    "the log": (view) => view.log.push(view.log[0]),
    "the arguments of a call": (view) => (view.log[1].calls[0].args.path = "/b"),
    "the objects": (view) => view.objects.set("x", view.objects.get("c1")),
    "an object": (view) => (view.objects.get("c1").text = "other"),
    "all objects": (view) => view.objects.clear(),
    "a set": (view) => view.sets.pool.add("x"),
    "a set that loses a member": (view) => view.sets.index.delete("c1"),
    "which sets there are": (view) => (view.sets.pool = new Set()),
    "the forms": (view) => view.forms.delete("0"),
    "the prompt that was sent": (view) => view.sent.messages.pop(),
    "a message that was sent": (view) => (view.sent.messages[0].text = "other"),
    "the ledger": (view) => (view.ledger.billed = 0),
  };

  it.each(Object.entries(changes))("refuses a change of %s, and the session is what it was", (_what, change) => {
    const before = structuredClone(session.view());

    expect(() => change(session.view() as Loose<ContextView>)).toThrow(
      /read only|not extensible|Cannot delete|cannot be changed/,
    );

    expect(session.view()).toEqual(before);
  });

  it("is a copy: what others were handed stays theirs to change", async () => {
    const prompt = await session.assemble();
    await session.record({ answer: { role: "assistant", text: "Done." } });

    session.view();

    expect([prompt, prompt.messages, ...prompt.messages].filter(Object.isFrozen)).toEqual([]);
  });
});

/** What a caller without types can try. */
// biome-ignore lint/suspicious/noExplicitAny: It is there to be misused.
type Loose<T> = { -readonly [K in keyof T]: any };
