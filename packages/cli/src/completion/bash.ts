import type { Completes, DescribedOption, DescribedProgram } from "./describe-program.ts";

/**
 * For bash 3.2 and later, without the package bash-completion. Session ids are taken from `cm sessions --json`; the
 * pattern lets only their harmless characters through, because `compgen -W` expands what it is given.
 */
export function bashCompletion({ commands, options }: DescribedProgram): string {
  const all = [...options, ...commands.flatMap((command) => command.options)];
  return `# bash completion for cm: eval "$(cm completion bash)"
_cm_sessions() {
  cm "$@" sessions --json 2>/dev/null | sed -n 's/^{"session":"\\([A-Za-z0-9._-]*\\)".*/\\1/p'
}
_cm() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD-1]} command= word i
  local store=()
  for ((i = 1; i < COMP_CWORD; i++)); do
    word=\${COMP_WORDS[i]}
    case $word in
      --store|--namespace) i=$((i + 1)); store+=("$word" "\${COMP_WORDS[i]/#\\~/$HOME}") ;;
      ${flagPattern(all.filter(({ takesValue, flags }) => takesValue && !flags.includes("--store") && !flags.includes("--namespace")))}) i=$((i + 1)) ;;
      -*) ;;
      *) if [[ -z $command ]]; then command=$word; fi ;;
    esac
  done
  COMPREPLY=()
  case $prev in
${valueCases(all)}
  esac
  if [[ $cur == -* ]]; then
    case $command in
${commands.map(({ name, options: own }) => `      ${name}) COMPREPLY=($(compgen -W "${flagWords([...own, ...options])}" -- "$cur")) ;;`).join("\n")}
      *) COMPREPLY=($(compgen -W "${flagWords(options)}" -- "$cur")) ;;
    esac
    return
  fi
  case $command in
    '') COMPREPLY=($(compgen -W "${commands.map(({ name }) => name).join(" ")}" -- "$cur")) ;;
${commands.flatMap(({ name, argument }) => (argument === undefined ? [] : `    ${name}) ${reply(argument)} ;;`)).join("\n")}
  esac
}
complete -F _cm cm
`;
}

const flagWords = (options: readonly DescribedOption[]): string => options.flatMap(({ flags }) => flags).join(" ");

const flagPattern = (options: readonly DescribedOption[]): string =>
  [...new Set(options.flatMap(({ flags }) => flags))].join("|");

/** The word behind an option with a value: never a command or another option. */
function valueCases(options: readonly DescribedOption[]): string {
  const groups = Map.groupBy(
    options.filter(({ takesValue }) => takesValue),
    ({ value }) => (value === undefined ? "" : reply(value)),
  );
  return [...groups]
    .map(([said, group]) => `    ${flagPattern(group)}) ${said === "" ? "" : `${said}; `}return ;;`)
    .join("\n");
}

function reply(completes: Completes): string {
  if (completes === "files") return 'COMPREPLY=($(compgen -f -- "$cur"))';
  const words = completes === "sessions" ? `$(_cm_sessions "\${store[@]}")` : completes.join(" ");
  return `COMPREPLY=($(compgen -W "${words}" -- "$cur"))`;
}
