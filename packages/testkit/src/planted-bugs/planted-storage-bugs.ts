import type { StorageWriter, TestedStorage } from "../session-storage/session-storage-subject.ts";

/** A storage with one fault, and the cases that are meant to find it. */
export interface PlantedStorageBug {
  /** What it does wrong. */
  readonly name: string;
  readonly caughtBy: readonly string[];
  /** The faulty storage, made of one that holds every law. */
  readonly spoil: (lawful: TestedStorage) => TestedStorage;
}

type Change = (lawful: TestedStorage) => Partial<TestedStorage>;

const bug = (name: string, caughtBy: readonly string[], change: Change): PlantedStorageBug => ({
  name,
  caughtBy,
  spoil: (lawful) => Object.assign(Object.create(lawful) as TestedStorage, bound(lawful), change(lawful)),
});

/** Methods of a class lose their object where they are copied. */
function bound(storage: TestedStorage): Partial<TestedStorage> {
  return {
    openWriter: (path, options) => storage.openWriter(path, options),
    readText: (path) => storage.readText(path),
  };
}

const writing = (
  name: string,
  caughtBy: readonly string[],
  change: (writer: StorageWriter) => Partial<StorageWriter>,
) =>
  bug(name, caughtBy, (lawful) => ({
    openWriter: (path, options) => {
      const writer = lawful.openWriter(path, options);
      return {
        writeLine: (line) => writer.writeLine(line),
        flush: () => writer.flush(),
        fsync: () => writer.fsync(),
        close: () => writer.close(),
        getError: () => writer.getError(),
        ...change(writer),
      };
    },
  }));

/** Storages that `sessionStorageSuite` must reject. */
export const plantedStorageBugs: readonly PlantedStorageBug[] = [
  bug("It trims what it reads.", ["SST-001"], (lawful) => ({
    readText: async (path) => (await lawful.readText(path)).replaceAll("\0", ""),
  })),
  bug("It writes into folders that are there alone.", ["SST-002"], (lawful) => ({
    writeText: async (path, content) => {
      if (/\/x\/y\//.test(path)) return;
      await lawful.writeText(path, content);
    },
  })),
  bug("It says that an empty file is not there.", ["SST-003"], (lawful) => ({
    exists: async (path) => lawful.existsSync(path) && lawful.statSync(path).size > 0,
  })),
  bug("It counts characters for bytes.", ["SST-004"], (lawful) => ({
    statSync: (path) => ({ ...lawful.statSync(path), size: Math.max(1, lawful.statSync(path).size - 3) }),
  })),
  bug("It reads a prefix by characters.", ["SST-005"], (lawful) => ({
    readTextPrefix: async (path, max) => (await lawful.readText(path)).slice(0, max),
  })),
  bug("It copies where it should rename.", ["SST-006"], (lawful) => ({
    rename: async (path, next) => lawful.writeText(next, await lawful.readText(path)),
  })),
  bug("It reads an empty text where there is no file.", ["SST-007"], (lawful) => ({
    readText: async (path) => (lawful.existsSync(path) ? lawful.readText(path) : ""),
  })),
  bug("It lists names for paths.", ["SST-008"], (lawful) => ({
    listFilesSync: (dir, pattern) => lawful.listFilesSync(dir, pattern).map((path) => path.slice(dir.length + 1)),
  })),
  bug("It empties a file that is appended to.", ["SST-020", "SST-024"], (lawful) => ({
    openWriter: (path, options) => lawful.openWriter(path, { ...options, flags: "w" }),
  })),
  bug("It appends where it should replace.", ["SST-021"], (lawful) => ({
    openWriter: (path, options) => lawful.openWriter(path, { ...options, flags: "a" }),
  })),
  bug("It writes back what it had read at the opening.", ["SST-022", "SST-023"], (lawful) => ({
    openWriter: (path, options) => {
      const writer = lawful.openWriter(path, options);
      let text = "";
      const opened = lawful.existsSync(path)
        ? lawful.readText(path).then((read) => (text = read))
        : Promise.resolve("");
      const writeLine = async (line: string): Promise<void> => {
        await opened;
        if (writer.getError() === undefined && !closed) {
          text += `${text === "" || text.endsWith("\n") ? "" : "\n"}${line}`;
          await lawful.writeText(path, text);
        } else await writer.writeLine(line);
      };
      let closed = false;
      const close = async (): Promise<void> => {
        closed = true;
        await writer.close();
      };
      return {
        writeLine,
        close,
        flush: () => writer.flush(),
        fsync: () => writer.fsync(),
        getError: () => writer.getError(),
      };
    },
  })),
  bug("It appends behind half a line.", ["SST-024"], (lawful) => ({
    openWriter: (path, options) => {
      const writer = lawful.openWriter(path, options);
      const writeLine = async (line: string): Promise<void> => {
        const before = lawful.existsSync(path) ? await lawful.readText(path) : "";
        if (before === "" || before.endsWith("\n")) await writer.writeLine(line);
        else await lawful.writeText(path, `${before}${line}`);
      };
      return {
        writeLine,
        flush: () => writer.flush(),
        fsync: () => writer.fsync(),
        close: () => writer.close(),
        getError: () => writer.getError(),
      };
    },
  })),
  bug("It leaves the last line without its end.", ["SST-026"], (lawful) => ({
    readText: async (path) => {
      const text = await lawful.readText(path);
      return text.endsWith("3\n") && text.length === 6 ? text.slice(0, -1) : text;
    },
  })),
  writing("It swallows errors of writing.", ["SST-025"], (writer) => ({
    writeLine: async (line) => writer.writeLine(line).catch(() => undefined),
  })),
];
