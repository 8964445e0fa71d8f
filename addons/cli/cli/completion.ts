import { type Command, Option } from 'commander'
import { EXIT, Failure } from './failure.ts'

const SHELLS = ['bash', 'zsh', 'fish'] as const
type Shell = (typeof SHELLS)[number]

const SCRIPTS: Readonly<Record<Shell, string>> = {
  bash: `# Completion of trainyard for bash. Add to ~/.bashrc: eval "$(trainyard completion bash)"
_trainyard() {
  local candidate
  COMPREPLY=()
  while IFS= read -r candidate; do
    COMPREPLY+=("$(printf '%q' "$candidate")")
  done < <(trainyard complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -o default -F _trainyard trainyard
`,
  zsh: `# Completion of trainyard for zsh. Add to ~/.zshrc: eval "$(trainyard completion zsh)"
_trainyard() {
  local -a candidates
  candidates=("\${(@f)$(trainyard complete -- "\${(@Q)words[2,CURRENT]}" 2>/dev/null)}")
  if [[ -n "\${candidates[1]}" ]]; then compadd -- "\${candidates[@]}"; else _files; fi
}
compdef _trainyard trainyard
`,
  fish: `# Completion of trainyard for fish. Save as ~/.config/fish/completions/trainyard.fish
complete -c trainyard -a '(trainyard complete -- (commandline -opc)[2..] (commandline -ct))'
`,
}

/** Returns the completion script of a shell. @throws Failure for an unknown shell */
export function completionScript(shell: string): string {
  const supported = SHELLS.find((each) => each === shell)
  if (supported === undefined) throw new Failure(EXIT.usage, `The shell must be ${SHELLS.join(', ')}.`)
  return SCRIPTS[supported]
}

/**
 * Returns the candidates for the last of the words.
 * @param trainings returns the names of trainings, used to complete arguments that name a training
 */
export async function candidatesFor(
  program: Command,
  words: readonly string[],
  trainings: () => Promise<readonly string[]>,
): Promise<string[]> {
  const current = (words.at(-1) ?? '').replaceAll(/\\(.)/g, '$1')
  const { command, argumentCount, pending } = findPosition(program, words.slice(0, -1))
  const matching = (all: readonly string[]) => all.filter((each) => each.startsWith(current))
  if (pending !== undefined) {
    return pending.attributeName() === 'training' ? matching(await trainings()) : matching(pending.argChoices ?? [])
  }
  if (current.startsWith('-')) return matching(optionsOf(command).flatMap(({ long }) => (long == null ? [] : [long])))
  const commands = command.commands.filter((each) => !isHidden(each)).map((each) => each.name())
  if (commands.length > 0) return matching([...commands, ...(command.parent === null ? ['help'] : [])])
  const argument = command.registeredArguments[argumentCount]?.name()
  return argument === 'training' ? matching(await trainings()) : matching(argument === 'shell' ? SHELLS : [])
}

const isHidden = (command: Command): boolean => (command as Command & { _hidden?: boolean })._hidden === true

const optionsOf = (command: Command): readonly Option[] =>
  command.parent === null ? command.options : [...command.options, ...optionsOf(command.parent)]

interface Position {
  readonly command: Command
  /** Number of arguments before the current word. */
  readonly argumentCount: number
  /** The option whose value is the current word. */
  readonly pending: Option | undefined
}

/** Returns the command and the argument or option at which the last word ends. */
function findPosition(program: Command, words: readonly string[]): Position {
  let command = program
  let argumentCount = 0
  let pending: Option | undefined
  for (const word of words) {
    if (pending !== undefined) {
      pending = undefined
      continue
    }
    const next = argumentCount === 0 ? command.commands.find((each) => each.name() === word) : undefined
    if (next !== undefined) command = next
    else if (word.startsWith('-')) {
      const option = optionsOf(command).find(({ short, long }) => word === short || word === long)
      pending = option?.required === true ? option : undefined
    } else argumentCount += 1
  }
  return { command, argumentCount, pending }
}
