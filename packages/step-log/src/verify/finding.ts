/** Something that a document names and that must be there, or have been erased. */
export interface Reference {
  readonly id: string;
  /** The version that was named; absent where any will do. */
  readonly contentHash?: string;
}

/** What a document names. */
export interface Named {
  readonly by: {
    readonly id: string;
    readonly type: string;
    /** Of a tool call. */
    readonly chat?: string;
  };
  readonly reference: Reference;
}

/**
 * What can be wrong with a stored object. `erased` is no damage: it says that something which others name was taken
 * on purpose. Nor is `unfinished`: an import or an erasure was cut, and is completed by repeating it.
 */
export type Problem =
  | "store" // the store's own files or indexes are damaged
  | "unreadable" // the store cannot give the document
  | "invalid" // schema, identity or a hash does not hold
  | "stamp" // the store's stamp says something else than the document
  | "attachment" // bytes are not those that the id names
  | "missing" // something that the document names is not there
  | "keyframe" // the sets are not those that the steps make
  | "head" // chain, counts or numbers are not those that the steps make
  | "path" // the steps that lead to a head cannot be followed
  | "unfinished" // an import or an erasure was cut off; repeating it does the rest
  | "erased";

/** One thing that a verification found. Holds names and numbers, never content. */
export interface Finding {
  readonly id: string;
  readonly type?: string;
  readonly problem: Problem;
  readonly detail: string;
}

/** False for what is told for information only. */
export function isDamage({ problem }: Finding): boolean {
  return problem !== "erased" && problem !== "unfinished";
}
