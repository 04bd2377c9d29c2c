import type { StoreChoice } from "./choose-store.ts";
import type { OpenedStore } from "./open-store.ts";
import { withStore } from "./open-store.ts";

/** The same store, whose faults say which one it is: for a command that works with two. */
export function withNamedFaults(store: OpenedStore, choice: StoreChoice): OpenedStore {
  const named = (error: unknown) => {
    throw withStore(error, choice);
  };
  return new Proxy(store, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name, target);
      if (typeof member !== "function") return member;
      return (...args: unknown[]) => Promise.resolve(member.apply(target, args)).catch(named);
    },
  });
}
