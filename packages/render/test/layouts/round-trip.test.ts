// Verifies: SSOT 4.1, T1, T2

import { isDeepStrictEqual } from "node:util";
import type { ContextView, PartForm, Renderer } from "@cm/context-log";
import type { Block } from "@cm/prompt-grammar";
import { parse } from "@cm/prompt-grammar";
import { describe, expect, it } from "vitest";
import { logLayout } from "../../src/layouts/log.ts";
import { ssotAliasLayout, ssotLayout } from "../../src/layouts/ssot.ts";
import { expectedSsot } from "../support/expected-blocks.ts";
import { expectedLog } from "../support/expected-log.ts";
import { writtenAttacks } from "../support/hostile-text.ts";
import { HostileViews } from "../support/hostile-view.ts";
import { createRandom, runSeed, runsOf } from "../support/random.ts";
import { objectsOf, user, viewOf } from "../support/views.ts";

const layouts: readonly (readonly [string, Renderer, (view: ContextView) => readonly Block[]])[] = [
  ["ssot", ssotLayout, (view) => expectedSsot(view, "id")],
  ["ssot with aliases", ssotAliasLayout, (view) => expectedSsot(view, "alias")],
  ["log", logLayout, expectedLog],
];

describe("parse(render(view))", () => {
  const strings = runsOf(10_000, 1_000_000);
  const title = `gives back exactly the blocks under each layout, ${strings} hostile strings`;
  it(title, () => {
    const { seed, replay } = runSeed(title);
    const views = new HostileViews(createRandom(seed));

    while (views.strings < strings) {
      const view = views.next();
      for (const [name, renderer, expected] of layouts) {
        const found = parse(renderer.render(view, {}));
        if (isDeepStrictEqual(found, expected(view))) continue;
        console.error(`Layout ${name}. Replay: ${replay}`);
        expect(found).toEqual(expected(view));
      }
    }
  });

  describe.each(layouts)("under layout %s", (_, renderer, expected) => {
    it.each(writtenAttacks)("holds against the attack %j in every place", (attack) => {
      const view = everywhere(attack);

      expect(parse(renderer.render(view, {}))).toEqual(expected(view));
    });

    it.each(writtenAttacks)("holds against the attack %j in every place of texts that are cut", (attack) => {
      const ends = { form: "spans", head: attack.length, tail: attack.length } as const;
      const view = everywhere(`${attack}${"-".repeat(9)}${attack}`, ends);

      expect(parse(renderer.render(view, {}))).toEqual(expected(view));
    });
  });
});

/** One text as user message, tool output, file content, id, path and tool name. */
function everywhere(text: string, form: PartForm = { form: "full" }): ContextView {
  const objects = objectsOf(
    { id: `${text} call`, alias: "t1", kind: "toolcall", tool: text, status: "ok", text },
    { id: `${text} file`, alias: "f1", kind: "file", path: text, fileType: text, charCount: 1, text },
  );
  const place = { step: 0, turn: 0 };
  const call = { callId: text, tool: text, args: { path: text }, object: `${text} call`, files: [] };
  return viewOf({
    systemPrompt: text,
    objects,
    sets: { active: new Set(objects.keys()) },
    forms: new Map(["0", "1", "2", "3"].map((part) => [part, form])),
    log: [
      user(0, text),
      { kind: "assistant", at: 1, ...place, text, thinking: [], calls: [call] },
      {
        kind: "result",
        at: 2,
        ...place,
        ...call,
        object: `${text} call`,
        status: "ok",
        text,
        attachments: [],
        spans: [],
      },
      { kind: "recalled", at: 3, ...place, into: 2, object: `${text} file`, path: text, text },
      {
        kind: "resumed",
        at: 4,
        ...place,
        into: 2,
        files: [{ object: `${text} file`, path: text, before: "before", after: text }],
        unreachable: [{ object: `${text} file`, path: text, reason: text }],
        checkouts: [{ was: { namespace: text, root: text, repository: text, commit: text, branch: text } }],
        paths: [
          { was: text, now: text },
          { was: text, now: text, object: `${text} file` },
        ],
      },
    ],
  });
}
