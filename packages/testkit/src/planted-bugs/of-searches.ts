import { createMemoryStore, type ObjectDocument } from "@cm/object-model";
import { altered, type PlantedBug, redefined } from "./planted-bug.ts";

/** A search that meets texts by a rule of its own; the rest of the filter is as it should be. */
function searching(
  name: string,
  caughtBy: readonly string[],
  has: (text: string, piece: string) => boolean,
): PlantedBug {
  return redefined(name, caughtBy, ({ meets }) => ({
    meets: (document, { text, ...filter }) =>
      meets(document, filter) &&
      (text === undefined || (document.content !== null && has(document.content.toLowerCase(), text.toLowerCase()))),
  }));
}

const words = (text: string): readonly string[] => text.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== "");
const plain = (text: string): string => text.normalize("NFD").replaceAll(/\p{M}/gu, "");
const ofAscii = (text: string): string => text.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());
const untilNul = (text: string): string => text.split("\0")[0] ?? "";

/** Faults of a text index, as one would make them with what a database brings along. */
export const bugsOfSearches: readonly PlantedBug[] = [
  searching("A search finds words by their beginning.", ["OS-092"], (text, piece) =>
    words(piece).every((wanted) => words(text).some((word) => word.startsWith(wanted))),
  ),
  searching("Pieces of less than three letters are not found.", ["OS-092", "OS-094"], (text, piece) =>
    piece.length >= 3 ? text.includes(piece) : false,
  ),
  searching("Pieces of less than three letters are in every text.", ["OS-092", "OS-094"], (text, piece) =>
    piece.length >= 3 ? text.includes(piece) : true,
  ),
  redefined("The case is ignored of ASCII letters alone.", ["OS-093"], ({ meets }) => ({
    meets: (document, { text = "", ...filter }) =>
      meets(document, filter) && document.content !== null && ofAscii(document.content).includes(ofAscii(text)),
  })),
  searching("A search leaves out accents.", ["OS-093"], (text, piece) => plain(text).includes(plain(piece))),
  searching("Letters that are written as two are found as two.", ["OS-093"], (text, piece) =>
    text.replaceAll("ß", "ss").includes(piece.replaceAll("ß", "ss")),
  ),
  searching("A search ends at a NUL.", ["OS-094"], (text, piece) => untilNul(text).includes(untilNul(piece))),
  searching("A search leaves out NULs.", ["OS-094"], (text, piece) =>
    text.replaceAll("\0", "").includes(piece.replaceAll("\0", "")),
  ),
  searching("An underscore in a search stands for any character.", ["OS-094"], (text, piece) =>
    new RegExp(
      piece
        .replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&")
        .replaceAll("_", ".")
        .replaceAll("%", ".*"),
      "s",
    ).test(text),
  ),
  searching("Quotes in a search are dropped.", ["OS-094"], (text, piece) =>
    text.replaceAll('"', "").includes(piece.replaceAll('"', "")),
  ),
  altered("A search looks at every text that an object ever had.", ["OS-095"], (inner) => {
    const written = new Map<string, ObjectDocument[]>();
    return {
      async commit(writes, options) {
        const receipt = await inner.commit(writes, options);
        for (const { document } of writes) {
          written.set(document["xt/id"], [...(written.get(document["xt/id"]) ?? []), document]);
        }
        return receipt;
      },
      async find({ text, ...filter }, page) {
        const answer = await inner.find(filter, page);
        if (text === undefined) return answer;
        const has = ({ content }: ObjectDocument) => content?.toLowerCase().includes(text.toLowerCase()) === true;
        return { ...answer, versions: answer.versions.filter(({ id }) => written.get(id)?.some(has)) };
      },
    };
  }),
  altered("A search finds what was erased.", ["OS-096"], (inner, setting) => {
    const backup = createMemoryStore(setting);
    return {
      async commit(writes, options) {
        const receipt = await inner.commit(writes, options);
        await backup.commit(writes, options);
        return receipt;
      },
      find: (filter, page) => (filter.text === undefined ? inner : backup).find(filter, page),
    };
  }),
  altered("What was erased once is never found again.", ["OS-096"], (inner) => {
    const erased = new Set<string>();
    return {
      async erase(ids, reason) {
        const receipt = await inner.erase(ids, reason);
        for (const id of [...receipt.erased, ...receipt.shared]) erased.add(id);
        return receipt;
      },
      async find(filter, page) {
        const answer = await inner.find(filter, page);
        if (filter.text === undefined) return answer;
        return { ...answer, versions: answer.versions.filter(({ id }) => !erased.has(id)) };
      },
    };
  }),
  redefined("A search for text forgets the session.", ["OS-097"], ({ meets }) => ({
    meets: (document, { session, ...filter }) =>
      meets(document, session === undefined || filter.text !== undefined ? filter : { ...filter, session }),
  })),
  redefined("A search for text forgets the fields.", ["OS-097"], ({ meets }) => ({
    meets: (document, { where, ...filter }) =>
      meets(document, where === undefined || filter.text !== undefined ? filter : { ...filter, where }),
  })),
  redefined("A search for text forgets the tool and the path.", ["OS-097"], ({ meets }) => ({
    meets: (document, { tool, path, ...filter }) =>
      meets(document, {
        ...filter,
        ...(filter.text !== undefined || tool === undefined ? {} : { tool }),
        ...(filter.text !== undefined || path === undefined ? {} : { path }),
      }),
  })),
  redefined("Absent text is searched as an empty one.", ["OS-098"], ({ meets }) => ({
    meets: (document, { text = "", ...filter }) =>
      meets(document, filter) && (document.content ?? "").toLowerCase().includes(text.toLowerCase()),
  })),
  searching("The empty piece is in no text.", ["OS-098"], (text, piece) => piece !== "" && text.includes(piece)),
  altered("A page is filled first and searched then.", ["OS-099"], (inner) => ({
    async find({ text, ...filter }, page) {
      if (text === undefined) return inner.find(filter, page);
      const answer = await inner.find(filter, { ...page, documents: true });
      const has = (content: string | null | undefined) => content?.toLowerCase().includes(text.toLowerCase()) === true;
      return { ...answer, versions: answer.versions.filter(({ document }) => has(document?.content)) };
    },
  })),
];
