import { defined, everyDocument, type Filter, type ListedVersion, nonEmpty, type ObjectStore } from "@cm/object-model";

/** Where files are looked for. */
export interface FilesWhere {
  readonly source: string;
  /** The file system, repository@ref or bucket; undefined for all. */
  readonly place: string | undefined;
  /** The start of their paths, as the source names them. */
  readonly prefix: string;
}

/** The files of a store below a prefix, from all sessions, in the current version. */
export function filesBelow(store: ObjectStore, { source, place, prefix }: FilesWhere): AsyncGenerator<ListedVersion> {
  const filter: Filter = {
    type: "file",
    source: {
      type: source,
      ...defined({ namespace: place }),
      ...nonEmpty({ pathPrefix: prefix }),
    },
  };
  return everyDocument((page) => store.find(filter, page));
}
