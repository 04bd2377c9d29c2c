import { type FindOptions, type ObjectDocument, sealDocument } from "@cm/object-model";
import { contains } from "../model/definitions.ts";
import { sampleTypes } from "../object-store/sample-types.ts";
import { altered, type PlantedBug, redefined } from "./planted-bug.ts";

type Where = Readonly<Record<string, unknown>>;

/** A store that meets `where` by a rule of its own; the rest of the filter is as it should be. */
function matching(
  name: string,
  caughtBy: readonly string[],
  has: (document: ObjectDocument, where: Where) => boolean,
): PlantedBug {
  return redefined(name, caughtBy, ({ meets }) => ({
    meets: (document, { where, ...filter }) => meets(document, filter) && (where === undefined || has(document, where)),
  }));
}

const asTexts = (value: unknown): unknown =>
  typeof value === "object" && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).map(([name, member]) => [name, asTexts(member)]))
    : typeof value === "number" || value === null
      ? `${value}`
      : value;

const entriesOf = (value: unknown): [string, unknown][] =>
  typeof value === "object" && value !== null ? Object.entries(value) : [];

/** Containment, with arrays compared by `holds`. */
function containsBy(
  holds: (whole: unknown, part: readonly unknown[]) => boolean,
  whole: unknown,
  part: unknown,
): boolean {
  if (Array.isArray(part)) return holds(whole, part);
  if (typeof part !== "object" || part === null) return contains(whole, part);
  return (
    contains(whole, {}) &&
    entriesOf(part).every(([name, wanted]) => containsBy(holds, new Map(entriesOf(whole)).get(name), wanted))
  );
}

const cut = (value: unknown, chars: number): unknown => (typeof value === "string" ? value.slice(0, chars) : value);

/** Faults of an index over fields, as one would make them with what a database brings along. */
export const bugsOfIndexes: readonly PlantedBug[] = [
  matching("One of the fields is enough.", ["OS-160"], (document, where) => {
    const wanted = Object.entries(where);
    return wanted.length === 0 || wanted.some(([field, value]) => contains(document[field], value));
  }),
  matching("Fields are compared without their case.", ["OS-160"], (document, where) =>
    contains(JSON.parse(JSON.stringify(document).toLowerCase()), JSON.parse(JSON.stringify(where).toLowerCase())),
  ),
  matching("Everything is compared as text.", ["OS-160", "OS-161"], (document, where) =>
    contains(asTexts(document), asTexts(where)),
  ),
  matching("Objects are compared whole.", ["OS-161"], (document, where) =>
    Object.entries(where).every(([field, value]) =>
      typeof value === "object" && value !== null && !Array.isArray(value)
        ? contains(document[field], value) && contains(value, document[field])
        : contains(document[field], value),
    ),
  ),
  matching("Arrays are compared whole.", ["OS-162"], (document, where) =>
    containsBy((whole, part) => JSON.stringify(whole) === JSON.stringify(part), document, where),
  ),
  matching("Elements of arrays need only contain what is asked for.", ["OS-162"], (document, where) =>
    containsBy(
      (whole, part) =>
        Array.isArray(whole) && part.every((wanted) => whole.some((element) => contains(element, wanted))),
      document,
      where,
    ),
  ),
  matching("Values are compared as far as an index takes them.", ["OS-163"], (document, where) =>
    Object.entries(where).every(([field, value]) => contains(cut(document[field], 200), cut(value, 200))),
  ),
  altered("Every version that ever was is found by its fields.", ["OS-164"], (inner) => {
    const had = new Map<string, ObjectDocument[]>();
    return {
      async commit(writes, options) {
        const receipt = await inner.commit(writes, options);
        for (const { document } of writes) {
          had.set(document["xt/id"], [...(had.get(document["xt/id"]) ?? []), document]);
        }
        return receipt;
      },
      async find({ where, ...filter }, options) {
        if (where === undefined) return inner.find(filter, options);
        const answer = await inner.find(filter, options);
        const isHad = (id: string) => had.get(id)?.some((document) => contains(document, where)) === true;
        return { ...answer, versions: answer.versions.filter(({ id }) => isHad(id)) };
      },
    };
  }),
  altered("The index is of the newest write, whenever that holds.", ["OS-164", "OS-165"], (inner) => {
    const newest = new Map<string, ObjectDocument>();
    return {
      async commit(writes, options) {
        const receipt = await inner.commit(writes, options);
        for (const { document } of writes) newest.set(document["xt/id"], document);
        return receipt;
      },
      async find({ where, ...filter }, options) {
        if (where === undefined) return inner.find(filter, options);
        const answer = await inner.find(filter, options);
        return { ...answer, versions: answer.versions.filter(({ id }) => contains(newest.get(id), where)) };
      },
    };
  }),
  redefined("Newest first is oldest first.", ["OS-166", "OS-167"], ({ newestOf }) => ({
    newestOf: (document, types) => Number.MAX_SAFE_INTEGER - newestOf(document, types),
  })),
  redefined("Whatever stands in the field of the order is a number.", ["OS-166"], () => ({
    newestOf: (document) => Number(document.opened_at ?? 0),
  })),
  altered("Newest first is the order of ids.", ["OS-165", "OS-166"], (inner) => ({
    find: (filter, { order: _dropped, ...page }: FindOptions = {}) => inner.find(filter, page),
  })),
  altered("Pages newest first count from the start.", ["OS-167"], (inner) => ({
    async find(filter, options = {}) {
      const { cursor, limit, ...rest } = options;
      if (rest.order !== "newest" || limit === undefined) return inner.find(filter, options);
      const { versions, basis } = await inner.find(filter, rest);
      const start = Number.isNaN(Number(cursor ?? 0)) ? 0 : Number(cursor ?? 0);
      const more = versions.length > start + limit ? { next: `${start + limit}` } : {};
      return { basis, versions: versions.slice(start, start + limit), ...more };
    },
  })),
  altered("Undeclared fields are looked for in every document.", ["OS-168"], (inner) => ({
    async find({ where, ...filter }, options) {
      const answer = await inner.find(filter, { ...options, documents: true });
      return { ...answer, versions: answer.versions.filter(({ document }) => contains(document, where)) };
    },
  })),
  matching("Only the first of the fields is looked at.", ["OS-160"], (document, where) => {
    const few = Object.fromEntries(Object.entries(where).slice(0, 1));
    return contains(document, few);
  }),
  redefined("A filter on fields forgets the session.", ["OS-169"], ({ meets }) => ({
    meets: (document, { session, ...filter }) =>
      meets(document, session === undefined || filter.where !== undefined ? filter : { ...filter, session }),
  })),
  altered("More members than the index takes are left out of it.", ["OS-170"], (inner) => ({
    commit: (writes, options) =>
      inner.commit(
        writes.map(({ document, expect }) => ({ expect, document: withFewLabels(document) })),
        options,
      ),
  })),
];

function withFewLabels(document: ObjectDocument): ObjectDocument {
  const { type, labels, status } = document;
  if (type !== "ticket" || typeof labels !== "object" || labels === null || Object.keys(labels).length < 200) {
    return document;
  }
  const few = Object.fromEntries(Object.entries(labels).slice(0, 200));
  return sealDocument({ type, id: document["xt/id"] }, { content: null, status, labels: few }, sampleTypes);
}
