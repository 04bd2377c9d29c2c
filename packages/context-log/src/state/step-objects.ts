import type { DocumentOf } from "@cm/object-model";

/** The objects a step refers to, in the versions it saw. Undefined: erased, or `isMissing`. */
export interface StepObjects {
  toolcall(id: string): DocumentOf<"toolcall"> | undefined;
  file(id: string, contentHash: string): DocumentOf<"file"> | undefined;
  /** True of a file version that nothing on the path shows: a newer version came before the first look, so no call read it. */
  isPassedOver?(id: string, contentHash: string): boolean;
  /** True of an object that the store does not have at all, which no erasure does. */
  isMissing?(id: string): boolean;
}
