import assert from "node:assert/strict";
import { objectIdOf, type SourceBinding } from "@cm/object-model";
import { kindsOf, observe, present, putText, textOf } from "../asking.ts";
import type { SourceLaw } from "../source-case.ts";

/** Names that mean something to a shell, an address, a pattern, a protocol of lines or a file system. */
const hostileNames: readonly string[] = [
  "with space.txt",
  " space in front.txt",
  "space behind ",
  "with%20space.txt",
  "plus+and+more.txt",
  "'single' \"double\" `back`.txt",
  "#%?&=;,.txt",
  "%2e%2e%2fup.txt",
  "-n",
  "--help",
  "-leading/--folder/-file.txt",
  "$(id) $HOME \u0024{x}.txt",
  "*.txt",
  "[a-z].txt",
  "!not.txt",
  "~/tilde.txt",
  ":colon:(glob).txt",
  "@{upstream}.txt",
  "back\\slash.txt",
  "tab\tand\nnewline.txt",
  "carriage\rreturn.txt",
  "\u00E9.txt",
  "e\u0301.txt",
  "\u4E2D\u6587/\u{1F600}.txt",
  "\u202Ebidi.txt",
  "CASE.txt",
  "case.txt",
  "..dots",
  "...",
  "<xml attr='1'>&amp;.txt",
  "__proto__",
  "constructor/toString",
  "a".repeat(200),
];

export const names: readonly SourceLaw[] = [
  {
    id: "SRC-021",
    clause: "SSOT 5.3",
    title: "Hostile names are names: each thing is found under its own, and no other is.",
    async holds(subject) {
      const { source, world } = subject;
      const held = hostileNames.filter((name) => world.canHold?.(name) ?? true);
      const bindings: SourceBinding[] = [];
      for (const name of held) bindings.push(source.parseBinding(await putText(subject, name, `under ${name}`)));
      const absent: SourceBinding[] = [];
      for (const name of held) absent.push(await world.binding(`not/${name}`));

      const answers = await observe(
        subject,
        bindings.map((binding) => ({ binding })),
      );
      const again = await observe(
        subject,
        answers.map((answer, n) => ({ binding: bindings[n] as SourceBinding, known: present(answer).state })),
      );
      const others = await observe(
        subject,
        absent.map((binding) => ({ binding })),
      );

      assert.deepEqual(
        answers.map((answer) => textOf(answer)),
        held.map((name) => `under ${name}`),
      );
      assert.deepEqual(
        kindsOf(again),
        held.map(() => "unchanged"),
      );
      assert.deepEqual(
        kindsOf(others),
        held.map(() => "absent"),
      );
      assert.equal(new Set(bindings.map((one) => objectIdOf({ type: "file", source: one }))).size, held.length);
      assert.equal(new Set(bindings.map((one) => source.describe(one).display)).size, held.length);
    },
  },
];
