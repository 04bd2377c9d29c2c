// Verifies: SSOT 4.4 (3): which names stand in the prompt, counted from request to request.
import type { ContextView, PartForm } from "@cm/context-log";
import { forSeeds } from "@cm/testkit";
import { expect, it } from "vitest";
import { logMessage } from "../../../src/layouts/log/log-message.ts";
import { fullForm, logPlaces } from "../../../src/layouts/log/log-places.ts";
import { messageContent } from "../../../src/layouts/messages/content.ts";
import { namesIn } from "../../../src/policies/names/names-in.ts";
import { namesInView } from "../../../src/policies/names/names-in-view.ts";
import type { Random } from "../../support/random.ts";
import { Script } from "../../support/script.ts";

const file = "packages/render/test/policies/names/names-in-view.test.ts";
const words = Array.from({ length: 40 }, (_, number) => `name_number_${number}`);
const forms: readonly PartForm[] = [
  fullForm,
  { form: "reference" },
  { form: "reference", names: [[0, 14]], lines: [[15, 40]] },
];

it("The names in view are those that a search of the whole prompt finds, also after forms were tried.", async () => {
  await forSeeds({ short: 15, long: 500, file }, (random) => {
    const script = new Script({ contract: "policy/1", name: "random", decide: (view) => randomForms(random, view) });
    for (let call = 0; call < 12; call += 1) {
      const path = `${random.pick(words)}.ts`;
      if (random.chance(0.2)) script.say(random.pick(words));
      if (random.chance(0.5)) script.read(path, sentence(random));
      else script.call("edit", { path, oldText: sentence(random), newText: random.pick(words) }, random.pick(words));
      const view = script.session.view();

      expectNames(view, new Map());
      if (random.chance(0.5)) continue;
      const tried = new Map(Object.entries(randomForms(random, view).forms));
      expectTried(view, tried);
    }
  });
});

const sentence = (random: Random): string => Array.from({ length: 5 }, () => random.pick(words)).join(" ");

function randomForms(random: Random, view: ContextView): { readonly forms: Readonly<Record<string, PartForm>> } {
  const parts = view.log.flatMap((entry) =>
    entry.kind === "result" ? [`${entry.at}`] : entry.kind === "assistant" ? [`${entry.at}.0`] : [],
  );
  const changed = parts.filter(() => random.chance(0.2));
  return {
    forms: Object.fromEntries(
      changed.map((part) => [part, part.includes(".") ? random.pick(forms.slice(0, 2)) : random.pick(forms)]),
    ),
  };
}

function expectNames(view: ContextView, tried: ReadonlyMap<string, PartForm>): void {
  expect(words.filter((name) => namesInView(view).has(name))).toEqual(searched(view, tried));
}

/** `namesInView` would take back what was tried, so the names are asked for by the same object. */
function expectTried(view: ContextView, tried: ReadonlyMap<string, PartForm>): void {
  const names = namesInView(view);
  names.try(view, tried);
  expect(words.filter((name) => names.has(name))).toEqual(searched(view, tried));
}

function searched(view: ContextView, tried: ReadonlyMap<string, PartForm>): readonly string[] {
  const formOf = (part: string): PartForm => tried.get(part) ?? view.forms.get(part) ?? fullForm;
  const contents = view.log.flatMap((entry) => {
    const message = logMessage(view, entry, { formOf, notes: logPlaces(view).notesInto(entry.at) });
    return message === undefined ? [] : [messageContent(message)];
  });
  const found = new Set(contents.flatMap((content) => [...namesIn(content)]));
  return words.filter((name) => found.has(name));
}
