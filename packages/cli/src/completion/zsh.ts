import type { Completes, DescribedOption, DescribedProgram } from "./describe-program.ts";

/** For zsh's own completion system, as a file `_cm` in `fpath` or through `eval`. */
export function zshCompletion({ commands, options }: DescribedProgram): string {
  return `#compdef cm
# zsh completion for cm: eval "$(cm completion zsh)", or as a file _cm in fpath
_cm_sessions() {
  local -a found
  found=(\${(f)"$(cm $cm_store sessions --json 2>/dev/null | sed -n 's/^{"session":"\\([A-Za-z0-9._-]*\\)".*/\\1/p')"})
  compadd -a found
}
_cm() {
  local context state state_descr line
  local -a cm_store cm_commands
  typeset -A opt_args
  cm_commands=(
${commands.map(({ name, text }) => `    ${quoted(`${name}:${text}`)}`).join("\n")}
  )
  _arguments -C \\
${options.map((option) => `    ${argumentOf(option)} \\`).join("\n")}
    '1: :->command' '*:: :->rest'
  [[ -n \${opt_args[--store]} ]] && cm_store+=(--store \${(Q)opt_args[--store]/#\\~/$HOME})
  [[ -n \${opt_args[--namespace]} ]] && cm_store+=(--namespace \${(Q)opt_args[--namespace]})
  case $state in
    command) _describe command cm_commands ;;
    rest)
      case $line[1] in
${commands.map(({ name, options: own, argument }) => `        ${name}) _arguments ${[...own, ...options].map(argumentOf).join(" ")} ${quoted(`*:argument:${actionOf(argument)}`)} ;;`).join("\n")}
      esac ;;
  esac
}
if [ "$funcstack[1]" = "_cm" ]; then _cm "$@"; else compdef _cm cm; fi
`;
}

function argumentOf({ flags, text, takesValue, value }: DescribedOption): string {
  const [first = ""] = flags;
  const described = `[${text.replace(/[[\]:]/g, " ")}]`;
  const rest = takesValue ? `:value:${actionOf(value)}` : "";
  if (flags.length === 1) return quoted(`${first}${described}${rest}`);
  return `${quoted(`(${flags.join(" ")})`)}{${flags.join(",")}}${quoted(`${described}${rest}`)}`;
}

function actionOf(completes: Completes | undefined): string {
  if (completes === undefined) return " ";
  if (completes === "files") return "_files";
  return completes === "sessions" ? "_cm_sessions" : `(${completes.join(" ")})`;
}

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
