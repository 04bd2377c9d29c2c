import type { ContextHost, LeveledObject, SetCommand } from "@cm/context-log";
import type { JsonObject } from "@cm/object-model";
import type { ContextToolHost } from "../src/named-outcomes.ts";

/** An object with the names that a session takes for it. */
export interface FakeObject {
  readonly object: LeveledObject;
  readonly args?: JsonObject;
  readonly names?: readonly string[];
}

export interface FakeHost extends ContextToolHost {
  readonly commands: SetCommand[];
}

export const call = (
  alias: string,
  given: Partial<LeveledObject> & { readonly text: string | null },
): LeveledObject => ({
  ...{ id: `call-${alias}`, alias, kind: "toolcall", tool: "bash", status: "ok", level: "active", pinned: false },
  ...given,
});

export const file = (
  alias: string,
  given: Partial<LeveledObject> & { readonly text: string | null },
): LeveledObject => ({
  ...{ id: `file-${alias}`, alias, kind: "file", level: "active", pinned: false },
  ...given,
});

/** A session with these objects: it finds them by id, alias, path and other names, and does what it is told. */
export function fakeHost(objects: readonly FakeObject[], change: Partial<ContextHost> = {}): FakeHost {
  const commands: SetCommand[] = [];
  const find = (name: string) =>
    objects.find(({ object: { id, alias, path }, names = [] }) => [id, alias, path, ...names].includes(name));
  const unknown = {
    done: false,
    reason: "This session has met nothing of that name; list shows what it has met.",
  } as const;
  return {
    commands,
    async recall(id) {
      const found = find(id);
      if (found === undefined) return unknown;
      return { done: true, object: found.object, ...(found.args === undefined ? {} : { args: found.args }) };
    },
    async command(command) {
      const found = find(command.id);
      if (found === undefined) return unknown;
      commands.push(command);
      return { done: true, id: found.object.id, changed: (command.action === "pin") !== found.object.pinned };
    },
    async list({ path, kind, pinned, limit = 1_000, cursor = "0" }) {
      const from = Number(cursor);
      const all = objects
        .map(({ object }) => object)
        .filter((object) => kind === undefined || object.kind === kind)
        .filter((object) => pinned === undefined || object.pinned === pinned)
        .filter((object) => path === undefined || (object.path ?? object.argsDisplay ?? "").includes(path));
      const next = from + limit < all.length ? { next: `${from + limit}` } : {};
      return { objects: all.slice(from, from + limit), ...next };
    },
    ...change,
  };
}

export const numbered = (count: number): string =>
  Array.from({ length: count }, (_, at) => `line ${at + 1}\n`).join("");
