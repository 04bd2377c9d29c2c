import type { LeveledObject } from "@cm/context-log";
import { charsIn, inParts, isDocumentOf, type ObjectStore, ReadSize } from "@cm/object-model";

/**
 * Objects of a session as they are, those among them that a full window left out of the prompt, too: of these it has no more
 * than the tool in memory. They get what was asked for and how long their output is, and not its text.
 */
export async function withLeftOut(
  store: ObjectStore,
  objects: readonly LeveledObject[],
): Promise<readonly LeveledObject[]> {
  const told = new Map<string, Pick<LeveledObject, "argsDisplay" | "charCount">>();
  const size = new ReadSize();
  for (const part of inParts(objects.filter(isLeftOut), size)) {
    const found = await store.getMany(part.map(({ id }) => id));
    size.follow(charsIn(found.values()), part.length);
    for (const [id, { document }] of found) {
      if (!isDocumentOf(document, "toolcall")) continue;
      const { args_display: argsDisplay, content } = document;
      told.set(id, {
        ...(argsDisplay === undefined ? {} : { argsDisplay }),
        ...(content === null ? {} : { charCount: content.length }),
      });
    }
  }
  return objects.map((object) => (told.has(object.id) ? { ...object, ...told.get(object.id) } : object));
}

const isLeftOut = ({ kind, text, textless }: LeveledObject): boolean =>
  kind === "toolcall" && text === null && textless === undefined;
