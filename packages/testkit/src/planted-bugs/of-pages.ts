import { type HistoryPage, isCmError, type ListedVersion, limits, type Page } from "@cm/object-model";
import { altered, type PlantedBug } from "./planted-bug.ts";

const ended = ({ versions }: HistoryPage): HistoryPage => ({ versions });

/** Pages that count rows from the start: rows added or lost in front move all others. */
async function byOffset(
  ask: (page: Page) => Promise<HistoryPage>,
  { limit = limits.pageRowsMax, cursor, ...page }: Page,
) {
  const start = Number(cursor ?? 0);
  const { versions } = await ask(page);
  const next = start + limit;
  return { versions: versions.slice(start, next), ...(versions.length > next ? { next: `${next}` } : {}) };
}

export const bugsOfPages: readonly PlantedBug[] = [
  altered("History has one page.", ["OS-072"], (inner) => ({
    history: async (id, page) => ended(await inner.history(id, page)),
  })),
  altered("History ends after a hundred versions.", ["OS-076"], (inner) => ({
    history: async (id, page) => inner.history(id, { limit: 100, ...page }),
  })),
  altered("History promises more after a full page.", ["OS-072"], (inner) => ({
    async history(id, page) {
      const answer = await inner.history(id, page);
      const full = answer.versions.length === (page?.limit ?? limits.pageRowsMax);
      return full && answer.next === undefined
        ? { ...answer, next: answer.versions.at(-1)?.token.slice(1) ?? "" }
        : answer;
    },
  })),
  altered("History pages count from the start.", ["OS-073"], (inner) => ({
    history: (id, page = {}) => byOffset((whole) => inner.history(id, whole), page),
  })),
  altered("History always brings the documents.", ["OS-071"], (inner) => ({
    history: (id, page) => inner.history(id, { ...page, documents: true }),
  })),
  altered("The history of an unknown id is a fault.", ["OS-074"], (inner) => ({
    async history(id, page) {
      const answer = await inner.history(id, page);
      if (answer.versions.length === 0) throw new RangeError("There is no such object.");
      return answer;
    },
  })),
  altered("Find has one page.", ["OS-088"], (inner) => ({
    async find(filter, page) {
      const { next: _dropped, ...answer } = await inner.find(filter, page);
      return answer;
    },
  })),
  altered("Find pages count from the start.", ["OS-091"], (inner) => ({
    async find(filter, page = {}) {
      const { basis } = await inner.find(filter, {});
      return { basis, ...(await byOffset((whole) => inner.find(filter, whole), page)) };
    },
  })),
  altered("Find always brings the documents.", ["OS-090"], (inner) => ({
    find: (filter, page) => inner.find(filter, { ...page, documents: true }),
  })),
  altered("Find looks at every object where no type, session or source is named.", ["OS-087"], (inner) => ({
    async find(filter, page) {
      try {
        return await inner.find(filter, page);
      } catch (error) {
        if (isCmError(error, "store/unsupported")) return inner.find({ type: "toolcall", ...filter }, page);
        throw error;
      }
    },
  })),
  altered("Find looks at versions of the past, too.", ["OS-089"], (inner) => ({
    async find(filter, page) {
      const answer = await inner.find(filter, page);
      const all = await inner.find({ type: "toolcall" });
      const older: ListedVersion[] = [];
      for (const { id } of all.versions) {
        const { versions } = await inner.history(id, { documents: true });
        older.push(...versions.filter(({ document }) => document?.tool === filter.tool));
      }
      return filter.tool === undefined ? answer : { ...answer, versions: older };
    },
  })),
  altered("Find gives a basis that means now for ever.", ["OS-045", "OS-090"], (inner) => ({
    find: async (filter, page) => ({ ...(await inner.find(filter, page)), basis: "now" }),
    getMany: (ids, at) => inner.getMany(ids, at === "now" ? undefined : at),
  })),
  altered("Page sizes past the bounds are mended in silence.", ["OS-122"], (inner) => {
    const mended = ({ limit = limits.pageRowsMax, ...page }: Page = {}): Page => ({
      ...page,
      limit: Math.min(Math.max(1, Math.floor(limit) || 1), limits.pageRowsMax),
    });
    return {
      find: (filter, page) => inner.find(filter, mended(page)),
      history: (id, page) => inner.history(id, mended(page)),
    };
  }),
];
