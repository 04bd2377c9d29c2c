const windows = process.platform === "win32";

/** The variables that git needs: the place of the user's own configuration, for `safe.directory`. */
const kept = [
  "HOME",
  "XDG_CONFIG_HOME",
  ...(windows ? ["PATH", "SYSTEMROOT", "USERPROFILE", "HOMEDRIVE", "HOMEPATH", "PROGRAMDATA", "TEMP", "TMP"] : []),
];

/** A folder that is none: where git looks for programs, it finds none, not even itself for a fetch. */
const nowhere = "/dev/null";

/**
 * The whole environment of every git: no variable of the caller that changes what git reads, no prompts, no pager, no
 * fetching of what a partial clone lacks, no replaced objects, no locks, English messages. `ceiling` is the folder
 * above the repository, so that a folder which is none is never taken for its parent.
 */
export function gitEnvironment(ceiling: string): NodeJS.ProcessEnv {
  const outside = Object.fromEntries(kept.flatMap((name) => (name in process.env ? [[name, process.env[name]]] : [])));
  return {
    ...(windows ? {} : { PATH: nowhere, GIT_EXEC_PATH: nowhere }),
    ...outside,
    LC_ALL: "C",
    GIT_CEILING_DIRECTORIES: ceiling,
    GIT_OPTIONAL_LOCKS: "0",
    GIT_NO_LAZY_FETCH: "1",
    GIT_NO_REPLACE_OBJECTS: "1",
    GIT_ALLOW_PROTOCOL: "",
    GIT_TERMINAL_PROMPT: "0",
    GIT_PAGER: "cat",
    GIT_TRACE2: "0",
    GIT_TRACE2_EVENT: "0",
    GIT_TRACE2_PERF: "0",
  };
}

/**
 * The options before every command. A folder that the user registered may be bare, whatever `safe.bareRepository` says;
 * none of the commands here looks at the working tree or runs hooks, and these settings see that it stays so.
 */
export const gitArguments: readonly string[] = [
  "--no-pager",
  "-c",
  "safe.bareRepository=all",
  "-c",
  "core.fsmonitor=false",
  "-c",
  `core.hooksPath=${nowhere}`,
];
