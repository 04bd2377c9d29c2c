import { CmError, isCmError } from "@cm/object-model";
import { alteredSource, asking, type PlantedSourceBug } from "./planted-source-bug.ts";

/** Things are looked for under another path than the one that was asked. */
function misnamed(name: string, caughtBy: readonly string[], rename: (path: string) => string): PlantedSourceBug {
  return asking(name, caughtBy, (request) => ({
    ...request,
    binding: { ...request.binding, path: rename(request.binding.path) },
  }));
}

export const bugsOfSourceBindings: readonly PlantedSourceBug[] = [
  alteredSource("The source names another version of the contract.", ["SRC-001"], () => ({
    contract: `source/${0}` as "source/1",
  })),
  alteredSource("A parsed binding has a field that the given one has not.", ["SRC-001"], (inner) => ({
    parseBinding: (value) => ({ ...inner.parseBinding(value), seen: "now" }),
  })),
  alteredSource("A parsed binding is cut to its last name.", ["SRC-001"], (inner) => ({
    parseBinding: (value) => {
      const binding = inner.parseBinding(value);
      return { ...binding, path: binding.path.slice(binding.path.lastIndexOf("/") + 1) };
    },
  })),
  alteredSource("Surplus fields are dropped in silence.", ["SRC-002"], (inner) => ({
    parseBinding: (value) => {
      const given: unknown = typeof value === "object" && value !== null ? { ...value } : value;
      if (typeof given === "object" && given !== null) Reflect.deleteProperty(given, "surplus");
      return inner.parseBinding(given);
    },
  })),
  alteredSource("Everything with a type is a binding.", ["SRC-002"], (inner) => ({
    parseBinding: (value) =>
      typeof value === "object" && value !== null && Reflect.get(value, "type") === "memory"
        ? { type: "memory", world: "", path: "", ...value }
        : inner.parseBinding(value),
  })),
  alteredSource("A refusal is a type error.", ["SRC-002"], (inner) => ({
    parseBinding: (value) => {
      try {
        return inner.parseBinding(value);
      } catch {
        throw new TypeError("This is no binding.");
      }
    },
  })),
  alteredSource("A refusal does not say what is wrong.", ["SRC-002"], (inner) => ({
    parseBinding: (value) => {
      try {
        return inner.parseBinding(value);
      } catch {
        throw new CmError("model/invalid-source", "This is no binding.");
      }
    },
  })),
  alteredSource("A refusal quotes the value.", ["SRC-002"], (inner) => ({
    parseBinding: (value) => {
      try {
        return inner.parseBinding(value);
      } catch (error) {
        if (!isCmError(error)) throw error;
        throw new CmError("model/invalid-source", `${error.message} ${JSON.stringify(value)}`, error.data);
      }
    },
  })),
  alteredSource("Lists look for things elsewhere than where they are described.", ["SRC-003"], (inner) => ({
    describe: (binding) => ({ ...inner.describe(binding), namespace: "memory" }),
  })),
  alteredSource("Things are shown by their last name.", ["SRC-003"], (inner) => ({
    describe: (binding) => ({
      ...inner.describe(binding),
      display: binding.path.slice(binding.path.lastIndexOf("/") + 1),
    }),
  })),
  alteredSource("Things are shown by nothing.", ["SRC-003"], (inner) => ({
    describe: (binding) => ({ ...inner.describe(binding), display: "" }),
  })),
  misnamed("Names are trimmed.", ["SRC-021"], (path) => path.trim()),
  misnamed("Names are decoded like those of addresses.", ["SRC-021"], (path) => path.replaceAll("%20", " ")),
  misnamed("A name ends where an address has its fragment.", ["SRC-021"], (path) => path.replace(/#.*/su, "")),
  misnamed("Names are read as normalised Unicode.", ["SRC-021"], (path) => path.normalize("NFC")),
  misnamed("A name ends with its line.", ["SRC-021"], (path) => path.split("\n", 1)[0] ?? ""),
  misnamed("Names with a dash in front are options.", ["SRC-021"], (path) => path.replace(/^-+/u, "")),
  misnamed("Backslashes are separators.", ["SRC-021"], (path) => path.replaceAll("\\", "/")),
  misnamed("Capitals are no names of their own.", ["SRC-021"], (path) => path.toLowerCase()),
];
