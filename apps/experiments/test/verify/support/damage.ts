import type { Random } from "@cm/testkit";

/** One thing that a disk, a controller or a bad copy does to a file. */
export interface Damage {
  readonly name: string;
  /** Changes the bytes in place. @returns those that are left */
  readonly change: (file: Buffer, random: Random) => Buffer;
}

const pageBytes = 4_096;
const sectorBytes = 512;
/** Without its first page the file is no database, which the store says when it is opened. */
const anyPage = (file: Buffer, random: Random): number => 1 + random.below(file.length / pageBytes - 1);
const pageAt = (file: Buffer, page: number): Buffer => file.subarray(page * pageBytes, (page + 1) * pageBytes);

export const damages: readonly Damage[] = [
  {
    name: "one bit is another",
    change(file, random) {
      const at = random.below(file.length);
      file[at] = (file[at] ?? 0) ^ (1 << random.below(8));
      return file;
    },
  },
  {
    name: "one bit of a page's beginning is another",
    change(file, random) {
      const page = pageAt(file, anyPage(file, random));
      const at = random.below(64);
      page[at] = (page[at] ?? 0) ^ (1 << random.below(8));
      return file;
    },
  },
  {
    name: "eight bytes are others",
    change(file, random) {
      const at = random.below(file.length - 8);
      for (let n = 0; n < 8; n += 1) file[at + n] = random.below(256);
      return file;
    },
  },
  {
    name: "a page is empty",
    change(file, random) {
      pageAt(file, anyPage(file, random)).fill(0);
      return file;
    },
  },
  {
    name: "a page stands in the place of another, too",
    change(file, random) {
      pageAt(file, anyPage(file, random)).copy(pageAt(file, anyPage(file, random)));
      return file;
    },
  },
  {
    name: "two pages changed places",
    change(file, random) {
      const [one, other] = [pageAt(file, anyPage(file, random)), pageAt(file, anyPage(file, random))];
      const kept = Buffer.from(one);
      other.copy(one);
      kept.copy(other);
      return file;
    },
  },
  {
    name: "an old state of a page came back as a half",
    change(file, random) {
      const page = pageAt(file, anyPage(file, random));
      pageAt(file, anyPage(file, random)).copy(page, pageBytes / 2, pageBytes / 2);
      return file;
    },
  },
  {
    name: "a sector is empty",
    change(file, random) {
      const at = random.below(file.length / sectorBytes) * sectorBytes;
      file.fill(0, at, at + sectorBytes);
      return file;
    },
  },
  {
    name: "a sector is that of another place",
    change(file, random) {
      const [to, from] = [anyPage(file, random), anyPage(file, random)];
      pageAt(file, from).copy(pageAt(file, to), 0, 0, sectorBytes);
      return file;
    },
  },
  { name: "the end is missing", change: (file, random) => file.subarray(0, random.below(file.length)) },
  {
    name: "one byte is missing",
    change(file, random) {
      const at = random.below(file.length);
      file.copy(file, at, at + 1);
      return file;
    },
  },
];
