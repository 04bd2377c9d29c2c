import type { Random } from "@cm/testkit";

/** One thing that a disk, a controller or a bad copy does to a file. Changes the bytes in place. */
export interface Damage {
  readonly name: string;
  readonly change: (file: Buffer, random: Random) => void;
}

const pageBytes = 4_096;
/** Without its first page the file is no database, which the store says when it is opened. */
const anyPage = (file: Buffer, random: Random): number => 1 + random.below(file.length / pageBytes - 1);
const pageAt = (file: Buffer, page: number): Buffer => file.subarray(page * pageBytes, (page + 1) * pageBytes);

export const damages: readonly Damage[] = [
  {
    name: "one bit is another",
    change(file, random) {
      const at = random.below(file.length);
      file[at] = (file[at] ?? 0) ^ (1 << random.below(8));
    },
  },
  {
    name: "one bit of a page's beginning is another",
    change(file, random) {
      const page = pageAt(file, anyPage(file, random));
      const at = random.below(64);
      page[at] = (page[at] ?? 0) ^ (1 << random.below(8));
    },
  },
  {
    name: "eight bytes are others",
    change(file, random) {
      const at = random.below(file.length - 8);
      for (let n = 0; n < 8; n += 1) file[at + n] = random.below(256);
    },
  },
  { name: "a page is empty", change: (file, random) => pageAt(file, anyPage(file, random)).fill(0) },
  {
    name: "a page stands in the place of another, too",
    change(file, random) {
      pageAt(file, anyPage(file, random)).copy(pageAt(file, anyPage(file, random)));
    },
  },
  {
    name: "two pages changed places",
    change(file, random) {
      const [one, other] = [pageAt(file, anyPage(file, random)), pageAt(file, anyPage(file, random))];
      const kept = Buffer.from(one);
      other.copy(one);
      kept.copy(other);
    },
  },
  {
    name: "an old state of a page came back as a half",
    change(file, random) {
      const page = pageAt(file, anyPage(file, random));
      pageAt(file, anyPage(file, random)).copy(page, pageBytes / 2, pageBytes / 2);
    },
  },
];
