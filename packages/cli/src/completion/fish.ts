import type { Completes, DescribedOption, DescribedProgram } from "./describe-program.ts";

/** For fish 3 and later. */
export function fishCompletion({ commands, options }: DescribedProgram): string {
  return `# fish completion for cm: cm completion fish | source
function __cm_sessions
  set -l words (commandline -opc)
  set -l store
  for name in --store --namespace
    if set -l at (contains -i -- $name $words); and set -q words[(math $at + 1)]
      set -a store $name $words[(math $at + 1)]
    end
  end
  cm $store sessions --json 2>/dev/null | string replace -rf '^\\{"session":"([A-Za-z0-9._-]*)".*' '$1'
end
complete -c cm -f
${options.map((option) => `complete -c cm ${flagsOf(option)}`).join("\n")}
${commands.map(({ name, text }) => `complete -c cm -n __fish_use_subcommand -a ${name} -d ${quoted(text)}`).join("\n")}
${commands.flatMap(({ name, options: own, argument }) => linesOf(name, own, argument)).join("\n")}
`;
}

function linesOf(name: string, options: readonly DescribedOption[], argument: Completes | undefined): string[] {
  const inside = `complete -c cm -n '__fish_seen_subcommand_from ${name}'`;
  return [
    ...options.map((option) => `${inside} ${flagsOf(option)}`),
    ...(argument === undefined ? [] : [`${inside} ${valuesOf(argument)}`]),
  ];
}

function flagsOf({ flags, text, takesValue, value }: DescribedOption): string {
  const names = flags.map((flag) => (flag.startsWith("--") ? `-l ${flag.slice(2)}` : `-s ${flag.slice(1)}`));
  const values = !takesValue ? "" : ` -r${value === undefined ? "" : ` ${valuesOf(value)}`}`;
  return `${names.join(" ")}${values} -d ${quoted(text)}`;
}

function valuesOf(completes: Completes): string {
  if (completes === "files") return "-F";
  return completes === "sessions" ? "-a '(__cm_sessions)'" : `-a ${quoted(completes.join(" "))}`;
}

const quoted = (text: string): string => `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
