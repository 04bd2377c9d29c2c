// What `deploy/` says, for the tests that hold it against schemas, the repository and what it starts.
import { cpSync, mkdirSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { parseAllDocuments, parse as parseYaml } from "yaml";
import { root } from "../workspace.ts";

export const deploy: string = join(root, "deploy");
export const manifestPaths = ["kubernetes/postgres.yaml", "kubernetes/server.yaml", "kubernetes/xtdb.yaml"] as const;

export const deployText = (path: string): string => readFileSync(join(deploy, path), "utf8");

export interface Manifest {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly labels: Readonly<Record<string, string>> };
  readonly data?: Readonly<Record<string, string>>;
  // biome-ignore lint/suspicious/noExplicitAny: the schemas say what is in it.
  readonly spec: any;
}

/** @throws where a file is no YAML */
export const manifestsOf = (path: string): readonly Manifest[] =>
  parseAllDocuments(deployText(path)).map((document) => {
    if (document.errors.length > 0) throw new Error(`${path}: ${document.errors.join("; ")}`);
    return document.toJS() as Manifest;
  });

export function manifestOf(path: (typeof manifestPaths)[number], kind: string): Manifest {
  const found = manifestsOf(path).find((manifest) => manifest.kind === kind);
  if (found === undefined) throw new Error(`${path} has no ${kind}`);
  return found;
}

// biome-ignore lint/suspicious/noExplicitAny: the schema says what is in it.
export const compose = (): any => parseYaml(deployText("compose.yaml"));

/** A Dockerfile of ours: one word list after another, and no shell but in RUN. */
export class Image {
  readonly text: string;
  readonly #ignoreText: string;

  constructor(folder: string) {
    this.text = deployText(`${folder}/Dockerfile`);
    this.#ignoreText = deployText(`${folder}/Dockerfile.dockerignore`);
  }

  /** The words of an instruction that is a list, such as ENTRYPOINT. */
  words(instruction: string): readonly string[] {
    return JSON.parse(new RegExp(`^${instruction} (\\[.*\\])$`, "m").exec(this.text)?.[1] ?? "[]");
  }

  /** What the image takes from the repository: paths, and the folder that they are put into. */
  get copied(): readonly { readonly from: readonly string[]; readonly to: string }[] {
    return [...this.text.matchAll(/^COPY (?!--)(.+)$/gm)].map(([, words = ""]) => {
      const paths = words.split(" ");
      return { from: paths.slice(0, -1), to: paths.at(-1) ?? "" };
    });
  }

  /** Commands of one line each that run while it is built. */
  get commands(): readonly string[] {
    return [...this.text.matchAll(/^RUN (.*[^\\])$/gm)].map(([, command = ""]) => command);
  }

  /** Whether the build gets a file of the repository: the last fitting line of the ignore file says it. */
  gets(path: string): boolean {
    let isThere = true;
    for (const line of this.#ignoreText.split("\n").filter((text) => text !== "" && !text.startsWith("#"))) {
      const isException = line.startsWith("!");
      const pattern = isException ? line.slice(1) : line;
      const segments = path.split("/");
      const below = pattern.startsWith("**/") ? segments.includes(pattern.slice(3)) : undefined;
      const fits = below ?? (pattern === "*" || path === pattern || path.startsWith(`${pattern}/`));
      if (fits) isThere = isException;
    }
    return isThere;
  }

  /** Puts what the image copies into a folder that stands for the working folder of its build. */
  copyInto(folder: string): void {
    for (const { from, to } of this.copied) {
      for (const path of from) {
        const isFolderOfMany = from.length > 1 || to.endsWith("/");
        const target = isFolderOfMany ? join(folder, to, basename(path)) : join(folder, to);
        mkdirSync(dirname(target), { recursive: true });
        cpSync(join(root, path), target, {
          ...{ recursive: true, filter: (source) => this.gets(source.slice(root.length + 1)) },
        });
      }
    }
  }
}
