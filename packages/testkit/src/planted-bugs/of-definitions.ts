import { type Filter, indexedFieldsOf, type ObjectDocument } from "@cm/object-model";
import type { Definitions, ModelWrite } from "../model/definitions.ts";
import { type PlantedBug, redefined } from "./planted-bug.ts";

const everMs = Number.MAX_SAFE_INTEGER;
const seconds = (ms: number): number => Math.floor(ms / 1_000);

const ofTime: readonly PlantedBug[] = [
  redefined("Reads ignore the basis.", ["OS-041", "OS-042", "OS-045", "OS-055", "OS-056"], ({ holding }) => ({
    holding: (writes, id, moment) => holding(writes, id, { ...moment, transaction: everMs }),
  })),
  redefined("Reads ignore the valid time.", ["OS-050", "OS-051", "OS-052"], ({ holding }) => ({
    holding: (writes, id, moment) => holding(writes, id, { ...moment, validMs: everMs }),
  })),
  redefined("The newest write holds, whatever its valid time.", ["OS-050", "OS-057"], () => ({
    holding: (writes, id, { transaction, validMs }) =>
      writes.findLast((write) => write.id === id && write.transaction <= transaction && write.validMs <= validMs),
  })),
  redefined("Among equal valid times the first transaction holds.", ["OS-054", "OS-065", "OS-067"], () => ({
    holding: (writes, id, { transaction, validMs }) =>
      writes
        .filter((write) => write.id === id && write.transaction <= transaction && write.validMs <= validMs)
        .sort((a, b) => b.validMs - a.validMs || a.transaction - b.transaction)[0],
  })),
  redefined("A version holds only after its valid time.", ["OS-053", "OS-040"], ({ holding }) => ({
    holding: (writes, id, moment) => holding(writes, id, { ...moment, validMs: moment.validMs - 1 }),
  })),
  redefined("Valid times are compared by the second.", ["OS-053", "OS-052"], () => ({
    holding: (writes, id, { transaction, validMs }) =>
      writes.findLast(
        (write) => write.id === id && write.transaction <= transaction && seconds(write.validMs) <= seconds(validMs),
      ),
  })),
  redefined("Transaction times follow a clock that is set back.", ["OS-065"], () => ({ timeOf: (clockMs) => clockMs })),
  redefined("What was written before the clock was set back cannot be seen.", ["OS-066"], () => ({
    defaultMoment: (clockMs, basisMs, named) => (named ? basisMs : clockMs),
  })),
  redefined("Time goes on for reads at an old basis.", ["OS-043"], () => ({
    defaultMoment: (clockMs, basisMs) => Math.max(clockMs, basisMs),
  })),
];

const ofWriting: readonly PlantedBug[] = [
  redefined("A write that changes nothing makes a version.", ["OS-018", "OS-058", "OS-153"], () => ({
    saysTheSame: () => false,
  })),
  redefined("A change of the source hash alone is lost.", ["OS-019"], () => ({
    saysTheSame: (held, document) => !held.erased && held.document.content_hash === document.content_hash,
  })),
  redefined("A change of any field but the text is lost.", ["OS-025", "OS-151"], () => ({
    saysTheSame: (held, document) => !held.erased && held.document.content === document.content,
  })),
  redefined("An erased text that is written again counts as unchanged.", ["OS-108"], () => ({
    saysTheSame: (held, document) => held.document.content_hash === document.content_hash,
  })),
  redefined("An object may change its type.", ["OS-021"], () => ({ keepsEnvelope: () => true })),
  redefined("The token is that of the latest valid time.", ["OS-012"], ({ holding }) => ({
    newest: (writes, id) => holding(writes, id, { transaction: everMs, validMs: everMs }),
  })),
  redefined("Objects that hold only in the future count as absent.", ["OS-024"], () => ({
    newest: (writes, id) => writes.findLast((write) => write.id === id && write.validMs <= write.transactionMs),
  })),
  redefined("History stands in the order of writing.", ["OS-070"], () => ({
    inOrder: (writes) => writes.toReversed(),
  })),
  redefined("History leaves out corrected versions.", ["OS-054", "OS-070"], ({ inOrder }) => ({
    inOrder: (writes) => inOrder(writes).filter(({ validMs }, n, all) => all[n - 1]?.validMs !== validMs),
  })),
];

const withoutSource = (filter: Filter, field: "namespace" | "pathPrefix"): Filter => {
  if (filter.source === undefined) return filter;
  const { [field]: _ignored, ...source } = filter.source;
  return { ...filter, source };
};
const pathOf = (document: ObjectDocument): string => indexedFieldsOf(document).location?.path ?? "";

const ofFinding: readonly PlantedBug[] = [
  redefined("Find ignores the start of the path.", ["OS-082", "OS-083", "OS-086"], ({ meets }) => ({
    meets: (document, filter) => meets(document, withoutSource(filter, "pathPrefix")),
  })),
  redefined("Find ignores the namespace.", ["OS-082", "OS-086"], ({ meets }) => ({
    meets: (document, filter) => meets(document, withoutSource(filter, "namespace")),
  })),
  redefined("Find ignores the type.", ["OS-080", "OS-086"], ({ meets }) => ({
    meets: (document, { type: _ignored, ...filter }) => meets(document, filter),
  })),
  redefined("Find ignores the case of paths.", ["OS-083"], ({ meets }) => ({
    meets: (document, { path, ...filter }) =>
      meets(document, filter) &&
      pathOf(document)
        .toLowerCase()
        .includes(path?.toLowerCase() ?? ""),
  })),
  redefined("An underscore in a path stands for any character.", ["OS-083"], ({ meets }) => ({
    meets: (document, { path, ...filter }) =>
      meets(document, filter) && (path === undefined || likePattern(path).test(pathOf(document))),
  })),
  redefined("One condition of a filter is enough.", ["OS-086"], ({ meets }) => ({
    meets: (document, filter) => Object.entries(filter).some(([key, value]) => meets(document, { [key]: value })),
  })),
  redefined("Tools are found by the start of their name.", ["OS-084"], ({ meets }) => ({
    meets: (document, { tool, ...filter }) => meets(document, filter) && `${document.tool}`.startsWith(tool ?? ""),
  })),
  redefined("Sessions are found by the start of their id.", ["OS-081"], ({ meets }) => ({
    meets: (document, { session, ...filter }) =>
      meets(document, filter) && (indexedFieldsOf(document).session ?? "").startsWith(session ?? ""),
  })),
  redefined("A search for text finds everything.", ["OS-085"], ({ meets }) => ({
    meets: (document, { text: _ignored, ...filter }) => meets(document, filter),
  })),
  redefined("A search for text minds the case.", ["OS-085"], ({ meets }) => ({
    meets: (document, { text, ...filter }) => meets(document, filter) && (document.content ?? "").includes(text ?? ""),
  })),
  redefined("Finds are ordered by the bytes of UTF-8.", ["OS-088"], () => ({
    compareIds: (a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)),
  })),
  redefined("Finds are ordered by a dictionary.", ["OS-088"], () => ({
    compareIds: (a, b) => a.localeCompare(b, "en"),
  })),
];

/** What LIKE does with an unescaped text. */
function likePattern(text: string): RegExp {
  const escaped = text.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
  return new RegExp(escaped.replaceAll("_", ".").replaceAll("%", ".*"), "s");
}

type IsNamed = Parameters<Definitions["lostWith"]>[1];
const named = (writes: readonly ModelWrite[], isNamed: IsNamed) => writes.filter(isNamed);
const idsOf = (writes: readonly ModelWrite[]) => [...new Set(writes.map(({ id }) => id))];
const isAttachment = ({ id }: ModelWrite): boolean => id.startsWith("attachment:");
const isStep = ({ id }: ModelWrite): boolean => id.startsWith("step:");

const ofErasing: readonly PlantedBug[] = [
  redefined("Erasing leaves the same text in other objects.", ["OS-101", "OS-102", "OS-104"], () => ({
    lostWith: named,
  })),
  redefined("Erasing takes the newest version only.", ["OS-100", "OS-106"], ({ newest }) => ({
    lostWith: (writes, isNamed) => idsOf(named(writes, isNamed)).flatMap((id) => newest(writes, id) ?? []),
  })),
  redefined("Erasing takes all versions of objects that share a text.", ["OS-101"], ({ lostWith }) => ({
    lostWith: (writes, isNamed) => {
      const reached = new Set(lostWith(writes, isNamed).map(({ id }) => id));
      return writes.filter(({ id }) => reached.has(id));
    },
  })),
  redefined("Erasing looks for the named object's current text only.", ["OS-102"], ({ lostWith, newest }) => ({
    lostWith: (writes, isNamed) => {
      const current = idsOf(named(writes, isNamed)).flatMap((id) => newest(writes, id) ?? []);
      const others = writes.filter((write) => !isNamed(write));
      return [...lostWith([...current, ...others], isNamed), ...named(writes, isNamed)];
    },
  })),
  redefined("Erasing takes every empty text along.", ["OS-103"], ({ lostWith }) => ({
    lostWith: (writes, isNamed) => [
      ...lostWith(writes, isNamed),
      ...writes.filter(({ document }) => !document.content),
    ],
  })),
  redefined("Erasing a tool call leaves its attachments.", ["OS-104"], ({ lostWith }) => ({
    lostWith: (writes, isNamed) =>
      lostWith(writes, isNamed).filter((write) => !isAttachment(write) || named(writes, isNamed).some(isStep)),
  })),
  redefined("Erasing a step leaves its attachments.", ["OS-105", "OS-114"], ({ lostWith }) => ({
    lostWith: (writes, isNamed) =>
      lostWith(writes, isNamed).filter((write) => !isAttachment(write) || !named(writes, isNamed).some(isStep)),
  })),
  redefined("Erasing takes all attachments there are.", ["OS-104", "OS-114"], ({ lostWith }) => ({
    lostWith: (writes, isNamed) => [...lostWith(writes, isNamed), ...writes.filter(isAttachment)],
  })),
  redefined("Erasing a version takes its whole object.", ["OS-113", "OS-114"], ({ lostWith }) => ({
    lostWith: (writes, isNamed) => {
      const ids = idsOf(named(writes, isNamed));
      return lostWith(writes, ({ id }) => ids.includes(id));
    },
  })),
];

/** Faults in what an answer is, as one would make them in a query. */
export const bugsOfDefinitions: readonly PlantedBug[] = [...ofTime, ...ofWriting, ...ofFinding, ...ofErasing];
