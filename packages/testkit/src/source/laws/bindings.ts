import assert from "node:assert/strict";
import {
  isCmError,
  limits,
  locationOf,
  objectIdOf,
  parseDocument,
  type SourceBinding,
  sealDocument,
} from "@cm/object-model";
import { find, putText, textOf } from "../asking.ts";
import type { SourceLaw } from "../source-case.ts";
import type { SourceSubject } from "../source-subject.ts";

const canary = "canary-1f83";

/** The refusal of a value, with all that it says. */
function refusal({ source }: SourceSubject, value: unknown): string {
  try {
    source.parseBinding(value);
  } catch (error) {
    if (!isCmError(error, "model/invalid-source")) {
      const kind = isCmError(error) ? `CmError ${error.code}` : error instanceof Error ? error.name : typeof error;
      const message = `expected CmError model/invalid-source, got ${kind}`;
      throw Object.assign(new assert.AssertionError({ message }), { cause: error });
    }
    const said = [error.message, JSON.stringify(error), error.stack, String(error.cause ?? "")].join("\n");
    assert.ok(!said.includes(canary), "A refusal names fields, never values.");
    return said;
  }
  assert.fail("A wrong binding was accepted.");
}

export const bindings: readonly SourceLaw[] = [
  {
    id: "SRC-001",
    clause: "SSOT 2.3",
    title: "A binding is plain data that stands for one object, also after a way through JSON.",
    async holds(subject) {
      const { source } = subject;
      const binding = await putText(subject, "folder/a.txt", "text");

      assert.equal(source.contract, "source/1");
      assert.equal(binding.type, source.type);
      const parsed = source.parseBinding(JSON.parse(JSON.stringify(binding)));
      assert.deepEqual({ ...parsed }, { ...binding });
      assert.deepEqual({ ...source.parseBinding(parsed) }, { ...binding });

      const found = await find(subject, binding);
      const text = textOf(found);
      const document = sealDocument(
        { type: "file", source: parsed },
        { content: text, source_hash: found.sourceHash, file_type: "txt", char_count: text.length },
      );
      assert.equal(document["xt/id"], objectIdOf({ type: "file", source: binding }));
      assert.equal(parseDocument(JSON.parse(JSON.stringify(document)))["xt/id"], document["xt/id"]);
      assert.notEqual(
        objectIdOf({ type: "file", source: await subject.world.binding("folder/b.txt") }),
        document["xt/id"],
      );
    },
  },
  {
    id: "SRC-002",
    clause: "SSOT 5.11",
    title: "What is no binding of this source is refused with the fields that are wrong, never with their values.",
    async holds(subject) {
      const binding: SourceBinding = await subject.world.binding("a.txt");
      const fields = Object.keys(binding).filter((field) => field !== "type");

      for (const value of [undefined, null, 7, canary, true, [], [binding], {}, new Map(Object.entries(binding))]) {
        refusal(subject, value);
      }
      refusal(subject, { type: binding.type });
      refusal(subject, Object.fromEntries(fields.map((field) => [field, canary])));
      for (const type of [canary, "", 7, null, binding.type.toUpperCase(), `${binding.type} `]) {
        assert.ok(refusal(subject, { ...binding, type }).includes("type"));
      }
      refusal(subject, { ...binding, surplus: canary });
      for (const field of fields) {
        for (const value of ["", 7, null, [canary], { canary }, canary.padEnd(limits.sourceFieldCharsMax + 1, "x")]) {
          assert.ok(refusal(subject, { ...binding, [field]: value }).includes(field), "The wrong field is named.");
        }
      }
    },
  },
  {
    id: "SRC-003",
    clause: "SSOT 5.3",
    title: "A description places the object where lists look for it, and shows each thing by a path of its own.",
    async holds(subject) {
      const { source, world } = subject;
      const all = [
        await putText(subject, "a.txt", "text"),
        await world.binding("a.txt.bak"),
        await world.binding("folder/a.txt"),
        await world.binding("folder/b.txt"),
      ];

      for (const binding of [...all, await world.elsewhere()]) {
        const { namespace, path, display } = source.describe(binding);
        assert.deepEqual({ type: binding.type, namespace, path }, { ...locationOf(binding) });
        assert.match(display, /^[^\r\n]+$/u);
        assert.equal(source.describe(source.parseBinding({ ...binding })).display, display);
      }
      assert.equal(new Set(all.map((binding) => source.describe(binding).display)).size, all.length);
    },
  },
];
