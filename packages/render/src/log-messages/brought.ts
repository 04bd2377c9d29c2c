import type { ContextView, ResultEntry } from "@cm/object-model";
import type { PoolBlock } from "../blocks/block.ts";
import { boundedField } from "../blocks/field.ts";
import { byFolder, moreBlockOf } from "../blocks/folders.ts";
import { pathArgument } from "../forms/target.ts";
import { limits } from "../limits.ts";
import { aliasOf } from "./part-forms.ts";

/** Lines of the files that came with a call, as they were then: the first ones each, the others by folder. */
export function broughtLines(view: ContextView, { brought = [], args }: ResultEntry): readonly PoolBlock[] {
  const named = pathArgument(args)?.replace(/^(?:\.\/)+/, "");
  const lines = brought.slice(0, limits.broughtFilesMax).map(
    ({ object, path, textless }): PoolBlock => ({
      kind: "pool-file",
      id: boundedField(aliasOf(view, object)),
      ...(isNamed(path, named) ? {} : { path: boundedField(path) }),
      ...(textless === undefined ? {} : { textless }),
    }),
  );
  return [...lines, ...byFolder(brought.slice(lines.length).map(({ path }) => path)).map(moreBlockOf)];
}

/** Their aliases, for a line that stands in place of the text: `f3,f5..f9`. Undefined for none. */
export function broughtAliases(view: ContextView, { brought = [] }: ResultEntry): string | undefined {
  if (brought.length === 0) return undefined;
  const ranges: { readonly first: string; last: string }[] = [];
  for (const { object } of brought) {
    const alias = aliasOf(view, object);
    const open = ranges.at(-1);
    if (open !== undefined && follows(open.last, alias)) open.last = alias;
    else ranges.push({ first: alias, last: alias });
  }
  return boundedField(ranges.map(({ first, last }) => (first === last ? first : `${first}..${last}`)).join(","));
}

const follows = (before: string, alias: string): boolean =>
  /^f\d+$/.test(before) && alias === `f${Number(before.slice(1)) + 1}`;

/** The call stands right above: a path that its arguments say is not said again. */
const isNamed = (path: string, named: string | undefined): boolean =>
  named !== undefined && (path === named || path.endsWith(`/${named}`));
