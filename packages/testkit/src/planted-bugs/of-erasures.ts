import { createMemoryStore, type EraseReceipt, type Erasure } from "@cm/object-model";
import { altered, distorted, type PlantedBug } from "./planted-bug.ts";

export const bugsOfErasures: readonly PlantedBug[] = [
  altered("Erased text is still there at old bases.", ["OS-106"], (inner, setting) => {
    const backup = createMemoryStore(setting);
    return {
      async commit(writes, options) {
        await backup.commit(writes, options).catch(() => undefined);
        return inner.commit(writes, options);
      },
      getMany: (ids, at) => (at === undefined ? inner : backup).getMany(ids, at),
    };
  }),
  altered("Erased text is still found.", ["OS-107"], (inner, setting) => {
    const backup = createMemoryStore(setting);
    return {
      async commit(writes, options) {
        const receipt = await inner.commit(writes, options);
        await backup.commit(writes, options);
        return receipt;
      },
      find: (filter, page) => backup.find(filter, page),
    };
  }),
  altered("An erased object counts as absent.", ["OS-109"], (inner) => {
    const gone = new Set<string>();
    return {
      async erase(ids, reason) {
        const receipt = await inner.erase(ids, reason);
        for (const id of receipt.erased) gone.add(id);
        return receipt;
      },
      commit: (writes, options) =>
        inner.commit(
          writes.map(({ document, expect }) => ({ document, expect: gone.has(document["xt/id"]) ? "any" : expect })),
          options,
        ),
    };
  }),
  altered("Erased versions vanish with their stamps.", ["OS-100", "OS-106"], (inner) => ({
    async getMany(ids, at) {
      const found = await inner.getMany(ids, at);
      return new Map([...found].filter(([, { erased }]) => erased === undefined));
    },
  })),
  altered("Unknown ids count as erased.", ["OS-110"], (inner) => ({
    async erase(ids, reason) {
      const receipt = await inner.erase(ids, reason);
      return { ...receipt, erased: [...receipt.erased, ...receipt.unknown], unknown: [] };
    },
  })),
  altered("Objects that lost a shared text are not listed.", ["OS-101", "OS-104"], (inner) => ({
    erase: async (ids, reason): Promise<EraseReceipt> => ({ ...(await inner.erase(ids, reason)), shared: [] }),
  })),
  altered("Erasing again replaces the first reason.", ["OS-111"], (inner) => {
    const last = new Map<string, Erasure>();
    return {
      ...distorted(inner, (version) => {
        const erased = version.erased === undefined ? undefined : last.get(version.id);
        return erased === undefined ? version : { ...version, erased };
      }),
      async erase(ids, reason) {
        const receipt = await inner.erase(ids, reason);
        for (const id of receipt.erased) last.set(id, { reason, at: receipt.at });
        return receipt;
      },
    };
  }),
  altered("An erasure has the basis of the commit before it.", ["OS-112"], (inner) => {
    let newest = "m0";
    return {
      async commit(writes, options) {
        const receipt = await inner.commit(writes, options);
        newest = receipt.basis;
        return receipt;
      },
      erase: async (ids, reason): Promise<EraseReceipt> => ({ ...(await inner.erase(ids, reason)), basis: newest }),
    };
  }),
  altered("An erasure needs no reason.", ["OS-123"], (inner) => ({
    erase: (ids, reason) => inner.erase(ids, reason.trim() || "none"),
  })),
  altered("A version that was never written counts as its object.", ["OS-115"], (inner) => ({
    async erase(named, reason) {
      const known = await Promise.all(
        named.map(async (one) => {
          if (typeof one === "string") return one;
          const { versions } = await inner.history(one.id);
          return versions.some(({ token }) => token === one.version) ? one : one.id;
        }),
      );
      return inner.erase(known, reason);
    },
  })),
  altered("After an erasure of one version a session lists its objects twice.", ["OS-116"], (inner) => {
    let isTwice = false;
    return {
      async erase(named, reason) {
        const receipt = await inner.erase(named, reason);
        isTwice ||= named.some((one) => typeof one !== "string") && receipt.erased.length > 0;
        return receipt;
      },
      async find(filter, page) {
        const found = await inner.find(filter, page);
        if (!isTwice || filter.session === undefined) return found;
        return { ...found, versions: found.versions.flatMap((version) => [version, version]) };
      },
    };
  }),
];
