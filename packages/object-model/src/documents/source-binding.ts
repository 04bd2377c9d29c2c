import * as z from "zod/mini";
import { CmError } from "../errors.ts";
import { limits } from "../limits.ts";

const field = z.string().check(z.minLength(1), z.maxLength(limits.sourceFieldCharsMax));

/** SSOT 2.3: `path` is canonical, as the filesystem itself names it. */
const filesystem = z.strictObject({ type: z.literal("filesystem"), filesystemId: field, path: field });

/** `repo`: normalised remote without scheme and credentials, else filesystem id and git folder. */
const git = z.strictObject({ type: z.literal("git"), repo: field, ref: field, path: field });

const s3 = z.strictObject({ type: z.literal("s3"), bucket: field, key: field, endpoint: z.optional(field) });

/** Any other source: its own type and flat text fields. Its package gives the exact schema. */
const other = z.intersection(
  z.record(z.string().check(z.minLength(1), z.maxLength(limits.nameCharsMax)), field),
  z.object({ type: field }),
);

const known = z.discriminatedUnion("type", [filesystem, git, s3]);

export type FilesystemBinding = z.infer<typeof filesystem>;
export type GitBinding = z.infer<typeof git>;
export type S3Binding = z.infer<typeof s3>;

/** SSOT 2.3: the external thing an object is bound to. The union is open; schemas of known types are stable. */
export type SourceBinding =
  | FilesystemBinding
  | GitBinding
  | S3Binding
  | (Readonly<Record<string, string>> & { readonly type: string });

/** Where a binding stands in lists and prefix searches: the namespace is exact, the path has prefixes. */
export interface SourceLocation {
  readonly type: string;
  readonly namespace: string;
  readonly path: string;
}

const knownTypes = new Set(["filesystem", "git", "s3"]);

/** @throws CmError `model/invalid-source` naming the fields that are wrong, never their values */
export function parseSourceBinding(value: unknown): SourceBinding {
  const result = schemaFor(value).safeParse(value);
  if (result.success) return result.data;
  const fields = [...new Set(result.error.issues.map((issue) => issue.path.join(".") || "(the binding)"))];
  throw new CmError("model/invalid-source", `The source binding is wrong in: ${fields.join(", ")}.`, { fields });
}

/** Whether `parseSourceBinding` would accept it. */
export function isSourceBinding(value: unknown): value is SourceBinding {
  return schemaFor(value).safeParse(value).success;
}

function schemaFor(value: unknown): typeof known | typeof other {
  const type = typeof value === "object" && value !== null ? (value as { type?: unknown }).type : undefined;
  return typeof type === "string" && knownTypes.has(type) ? known : other;
}

/** The indexed columns of a binding. Bindings of unknown types stand under their `path`, or their text fields in order. */
export function locationOf(source: SourceBinding): SourceLocation {
  const binding = source as Readonly<Record<string, string | undefined>> & { readonly type: string };
  switch (binding.type) {
    case "filesystem":
      return { type: binding.type, namespace: binding.filesystemId ?? "", path: binding.path ?? "" };
    case "git":
      return { type: binding.type, namespace: `${binding.repo}@${binding.ref}`, path: binding.path ?? "" };
    case "s3":
      return {
        type: binding.type,
        namespace: binding.endpoint === undefined ? `${binding.bucket}` : `${binding.endpoint}/${binding.bucket}`,
        path: binding.key ?? "",
      };
    default: {
      const { type, path, ...rest } = binding;
      const namespace = Object.keys(rest)
        .sort()
        .map((key) => rest[key])
        .join("/");
      return { type, namespace, path: path ?? namespace };
    }
  }
}

/** `file_type` (SSOT 2.5): after the last dot of the base name, lower case; empty for none and for dotfiles. */
export function fileTypeOf(path: string): string {
  const base = path.slice(Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\")) + 1);
  const dot = base.lastIndexOf(".");
  return dot <= 0 ? "" : base.slice(dot + 1).toLowerCase();
}
