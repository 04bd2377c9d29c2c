import { isCmError, type ListedVersion, type ObjectDocument, type StoredVersion } from "@cm/object-model";
import { altered, distorted, type PlantedBug } from "./planted-bug.ts";

const normal = (id: string): string => id.normalize("NFC");

/** A document with its text or arguments changed on the way out. */
function reading(name: string, caughtBy: readonly string[], read: (document: ObjectDocument) => object): PlantedBug {
  return altered(name, caughtBy, (inner) =>
    distorted(inner, (version) =>
      version.document === undefined
        ? version
        : { ...version, document: { ...version.document, ...read(version.document) } },
    ),
  );
}

/** What JSON.stringify and a reviver make of the arguments. */
function argsThrough(revive: (this: unknown, key: string, value: unknown) => unknown) {
  return ({ args }: ObjectDocument) => (args === undefined ? {} : { args: JSON.parse(JSON.stringify(args), revive) });
}

export const bugsOfReads: readonly PlantedBug[] = [
  altered("Unknown ids are answered with an empty version.", ["OS-001"], (inner) => ({
    async getMany(ids, at) {
      const found = await inner.getMany(ids, at);
      return new Map([...ids.map((id) => [id, {}] as [string, StoredVersion]), ...found]);
    },
  })),
  altered("Texts that may come later never come.", ["OS-008"], (inner) => ({
    async getMany(ids, at, options) {
      const found = await inner.getMany(ids, at, options);
      if (options?.texts === undefined) return found;
      return new Map(
        [...found].map(([id, version]) => [
          id,
          version.document === undefined ? version : { ...version, document: { ...version.document, content: null } },
        ]),
      );
    },
  })),
  altered("A read stops after 999 ids.", ["OS-003"], (inner) => ({
    getMany: async (ids, at) => inner.getMany(ids.length > 100_000 ? ids : ids.slice(0, 999), at),
  })),
  altered("A read past the bound is cut in silence.", ["OS-120"], (inner) => ({
    getMany: (ids, at) => inner.getMany(ids.slice(0, 100_000), at),
  })),
  altered("An unknown basis means now.", ["OS-044"], (inner) => ({
    async getMany(ids, at) {
      try {
        return await inner.getMany(ids, at);
      } catch (error) {
        if (isCmError(error, "store/unknown-basis")) return inner.getMany(ids);
        throw error;
      }
    },
  })),
  altered("A read remembers who asked twice and answers twice.", ["OS-004"], (inner) => ({
    async getMany(ids, at) {
      const found = await inner.getMany(ids, at);
      const twice = ids.filter((id, n) => ids.indexOf(id) !== n && found.has(id));
      return new Map([...found, ...twice.map((id) => [`${id} again`, found.get(id)] as [string, StoredVersion])]);
    },
  })),
  altered("A version's valid time is its transaction's.", ["OS-005", "OS-007", "OS-068"], (inner) =>
    distorted(inner, (version) => ({ ...version, validTime: version.transactionTime })),
  ),
  altered("A version's basis is the newest one.", ["OS-005", "OS-075"], (inner) => {
    let newest = "m0";
    return {
      ...distorted(inner, (version) => ({ ...version, basis: newest })),
      async commit(writes, options) {
        const receipt = await inner.commit(writes, options);
        newest = receipt.basis;
        return receipt;
      },
    };
  }),
  altered("Readers share one document that they can change.", ["OS-006"], (inner) => {
    const shared = new Map<string, ObjectDocument>();
    return distorted(inner, (version) => {
      if (version.document === undefined) return version;
      const document = shared.get(version.token) ?? structuredClone(version.document);
      shared.set(version.token, document);
      return { ...version, document };
    });
  }),
  altered("Readers share the dates of a version.", ["OS-007"], (inner) => {
    const shared = new Map<string, Date>();
    return distorted(inner, <V extends StoredVersion | ListedVersion>(version: V): V => {
      const validTime = shared.get(version.token) ?? version.validTime;
      shared.set(version.token, validTime);
      return { ...version, validTime };
    });
  }),
  altered("Ids are read as normalised Unicode.", ["OS-134"], (inner) => ({
    async getMany(ids, at) {
      const found = await inner.getMany(ids.map(normal), at);
      return new Map(
        ids.flatMap((id) => [[id, found.get(normal(id))]] as [string, StoredVersion][]).filter(([, held]) => held),
      );
    },
  })),
  altered("Ids are read up to the first NUL.", ["OS-134"], (inner) => ({
    async getMany(ids, at) {
      const cut = (id: string) => id.split("\u0000")[0] ?? "";
      const found = await inner.getMany(ids.map(cut), at);
      return new Map(
        ids.flatMap((id) => [[id, found.get(cut(id))]] as [string, StoredVersion][]).filter(([, held]) => held),
      );
    },
  })),
  altered("The name __proto__ is lost in a plain object.", ["OS-130"], (inner) => ({
    getMany: (ids, at) =>
      inner.getMany(
        ids.filter((id) => id !== "__proto__"),
        at,
      ),
  })),
  altered("Lone surrogates in ids are read as replacement characters.", ["OS-135"], (inner) => ({
    async getMany(ids, at) {
      const found = await inner.getMany(
        ids.map((id) => id.toWellFormed()),
        at,
      );
      return new Map(
        ids
          .flatMap((id) => [[id, found.get(id.toWellFormed())]] as [string, StoredVersion][])
          .filter(([, held]) => held),
      );
    },
  })),
  reading("Text ends at its first NUL.", ["OS-133"], ({ content }) => ({
    content: content?.split("\u0000")[0] ?? content,
  })),
  reading("A byte order mark is dropped.", ["OS-133"], ({ content }) => ({
    content: content?.replace(/^\uFEFF/, "") ?? content,
  })),
  reading("Line ends are made equal.", ["OS-133"], ({ content }) => ({
    content: content?.replaceAll("\r", "\n") ?? content,
  })),
  reading("Large texts are cut.", ["OS-124"], ({ content }) => ({ content: content?.slice(0, 2 ** 20) ?? content })),
  reading(
    "Numbers are kept with fifteen digits.",
    ["OS-138"],
    argsThrough((_, value) => (typeof value === "number" ? Number(value.toPrecision(15)) : value)),
  ),
  reading(
    "Null members of arguments are dropped.",
    ["OS-138"],
    argsThrough((_, value) => (value === null ? undefined : value)),
  ),
  reading(
    "Keys of prototypes are dropped from arguments.",
    ["OS-131"],
    argsThrough((key, value) => (key === "__proto__" ? undefined : value)),
  ),
  reading(
    "Members that databases give a meaning are dropped from arguments.",
    ["OS-137"],
    argsThrough((key, value) => (key.startsWith("xt/") ? undefined : value)),
  ),
  reading("Deep arguments are flattened to text.", ["OS-127"], ({ args }) =>
    JSON.stringify(args ?? {}).includes('[{"a":[{"a":[{"a"') ? { args: JSON.stringify(args) } : {},
  ),
  altered("Types are read back without their underscores.", ["OS-002"], (inner) =>
    distorted(inner, (version) =>
      version.document === undefined
        ? version
        : { ...version, document: { ...version.document, type: version.document.type.replace("_", "") } },
    ),
  ),
  altered("The store names another version of the contract.", ["OS-143"], () => ({
    contract: `object-store/${0}` as "object-store/1",
  })),
];
