import { CmError } from "../errors.ts";
import type { AsOf, Basis, Filter, FindOptions, Page, VersionName, Write } from "./contract.ts";

// What callers hand in, who may write no types. Each check throws `store/invalid-input`, which names the argument and
// what it must be, and shows nothing of it.

export function checkWrites(writes: unknown): asserts writes is readonly Write[] {
  must(Array.isArray(writes), "writes", "a list, also of one write");
  const areWrites = writes.every((write) => isObject(write) && isObject(write.document) && isText(write.expect));
  must(areWrites, "writes", 'objects with a document and what is expected: "absent", "any" or a token');
}

export function checkRequestId(requestId: unknown): asserts requestId is string | undefined {
  must(isTextOrAbsent(requestId), "requestId", "a text that no other commit has");
}

export function checkIdTexts(ids: unknown): asserts ids is readonly string[] {
  must(Array.isArray(ids) && ids.every(isText), "ids", "a list of the ids of objects, also of one");
}

export function checkNames(named: unknown): asserts named is readonly (string | VersionName)[] {
  const isName = (one: unknown) => isText(one) || (isObject(one) && isText(one.id) && isTextOrAbsent(one.version));
  must(Array.isArray(named) && named.every(isName), "named", "a list of ids, or of versions as an id and a token");
}

export function checkReasonText(reason: unknown): asserts reason is string {
  must(isText(reason), "reason", "a text that says why");
}

export function checkPage(page: unknown): asserts page is Page | undefined {
  must(page === undefined || isObject(page), "page", "an object with a limit or a cursor");
  must(page?.limit === undefined || typeof page.limit === "number", "limit", "a number of rows");
  must(
    isTextOrAbsent(page?.cursor),
    "cursor",
    "what the page before gave as its next; leave it out to begin at the start",
  );
}

export function checkFilter(filter: unknown, { order }: FindOptions): asserts filter is Filter {
  must(isObject(filter), "filter", "an object that names a type, a session or a source");
  for (const name of ["type", "session", "tool", "path", "text"]) must(isTextOrAbsent(filter[name]), name, "a text");
  const { source, where } = filter;
  const isSource =
    isObject(source) && isText(source.type) && [source.namespace, source.pathPrefix].every(isTextOrAbsent);
  must(source === undefined || isSource, "source", "an object with a type, and texts as its namespace and pathPrefix");
  must(where === undefined || isObject(where), "where", "an object of the fields that are wanted");
  must(order === undefined || order === "id" || order === "newest", "order", '"id" or "newest"');
}

export function checkMoment(at: unknown): asserts at is Basis | AsOf | undefined {
  const isMoment = isTextOrAbsent(at) || (isObject(at) && isTextOrAbsent(at.basis));
  must(isMoment, "at", "the basis of a receipt, or an object with a basis or a validTime");
}

type Given = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Given =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const isText = (value: unknown): value is string => typeof value === "string";
const isTextOrAbsent = (value: unknown): boolean => value === undefined || isText(value);

function must(holds: boolean, argument: string, what: string): asserts holds {
  if (holds) return;
  throw new CmError("store/invalid-input", `The argument ${argument} must be ${what}.`, { argument });
}
