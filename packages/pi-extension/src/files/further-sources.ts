import { defined, type Source, type SourceBinding } from "@cm/object-model";
import { detectEnvironment } from "@cm/sources-fs";
import type { GitSource } from "@cm/sources-git";
import type { S3Source } from "@cm/sources-s3";
import type { S3Setting, SourceSettings } from "../settings/source-setting.ts";
import type { Address } from "./addresses.ts";

interface Loaded {
  readonly git?: GitSource;
  readonly s3?: S3Source;
}

/**
 * Sources of files that are not on a file system. Their packages are loaded where the settings name such a source, when
 * a session is opened: without one nothing is loaded or needed.
 */
export class FurtherSources {
  readonly #settings: SourceSettings;
  #loading: Promise<Loaded> | undefined;
  #problem: string | undefined;

  constructor(settings: SourceSettings) {
    this.#settings = settings;
  }

  /** One sentence where a source cannot be had. */
  get problem(): string | undefined {
    return this.#problem;
  }

  /** For `openSession`. Those that cannot be had are left out. */
  async all(): Promise<readonly Source[]> {
    const { git, s3 } = await this.#loaded();
    return [git, s3].filter((source) => source !== undefined);
  }

  /** Undefined where its source cannot be had or knows no such thing. */
  async bind(address: Address): Promise<SourceBinding | undefined> {
    const { git, s3 } = await this.#loaded();
    try {
      if (address.kind === "s3") {
        const { kind: _, ...place } = address;
        return s3?.bind(place);
      }
      return await git?.bind({ repository: address.folder, ref: address.ref, path: address.path });
    } catch {
      return undefined;
    }
  }

  async close(): Promise<void> {
    if (this.#loading === undefined) return;
    await Promise.all((await this.all()).map((source) => source.close?.()));
  }

  #loaded(): Promise<Loaded> {
    this.#loading ??= this.#load();
    return this.#loading;
  }

  async #load(): Promise<Loaded> {
    const { git, s3 } = this.#settings;
    const [ofGit, ofS3] = await Promise.all([
      git.length === 0 ? undefined : this.#had("git", "@cm/sources-git", () => openGit(git)),
      s3.length === 0 ? undefined : this.#had("s3", "@cm/sources-s3", () => openS3(s3)),
    ]);
    return { ...defined({ git: ofGit, s3: ofS3 }) };
  }

  async #had<T>(kind: string, name: string, open: () => Promise<T>): Promise<T | undefined> {
    try {
      return await open();
    } catch (error) {
      this.#problem = sourceProblem(kind, name, error);
      return undefined;
    }
  }
}

/** Says what is missing, or what the source's own error says. */
export function sourceProblem(kind: string, name: string, error: unknown): string {
  const isMissing = error instanceof Error && "code" in error && error.code === "ERR_MODULE_NOT_FOUND";
  if (isMissing) {
    return `Context Manager needs the package ${name} for "${kind}" in "sources". Install it beside the extension: npm install ${name}.`;
  }
  const why = error instanceof Error ? error.message : "it cannot be opened.";
  return `Context Manager leaves "${kind}" in "sources" aside: ${why}`;
}

async function openGit(repositories: SourceSettings["git"]): Promise<GitSource> {
  const { createGitSource } = await import("@cm/sources-git");
  return createGitSource({ filesystemId: detectEnvironment().filesystemId, repositories });
}

async function openS3(places: readonly S3Setting[]): Promise<S3Source> {
  const { createS3Source } = await import("@cm/sources-s3");
  const aws = places.find(({ endpoint }) => endpoint === undefined);
  const endpoints = places.flatMap(({ endpoint: url, ...access }) => (url === undefined ? [] : [{ url, ...access }]));
  return createS3Source({ ...defined({ region: aws?.region }), endpoints });
}
