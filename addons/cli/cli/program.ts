import { Command, CommanderError } from 'commander'
import manifest from '../../../package.json' with { type: 'json' }
import { Differences, registerApply } from './apply/apply.ts'
import { registerLogin, registerWhoami } from './commands/account.ts'
import { registerClass } from './commands/class.ts'
import { registerGuides } from './commands/guides.ts'
import { registerLists, registerMachines, registerOrder } from './commands/machines.ts'
import { registerMoney } from './commands/money.ts'
import { registerProxy, registerSsh } from './commands/ssh.ts'
import { candidatesFor, completionScript } from './completion.ts'
import { addExamples } from './examples.ts'
import { EXIT, Failure } from './failure.ts'
import { Output } from './output.ts'
import { type GlobalOptions, type Io, CommandContext } from './command-context.ts'

const EXAMPLES = `
Examples:
  $ trainyard login --url https://portal.example.com
  $ trainyard apply -f training.yaml --wait
  $ trainyard machines list "Python for beginners"
  $ trainyard machines start lab-1 lab-2 --wait
  $ trainyard ssh lab-1
  $ trainyard usage "Python for beginners" --json

Environment: TRAINYARD_URL, TRAINYARD_API_KEY, NO_COLOR.
Documentation: addons/cli/README.md, and the API reference at /developers of the portal.`

/** Maximum time in which the completion waits for the portal. */
const COMPLETION_MS = 2_000

/** Runs a command line and returns its exit code. */
export async function run(args: readonly string[], io: Io): Promise<number> {
  const out = new Output(io)
  out.json = args.includes('--json')
  const program = programOf(io, out)
  try {
    await program.parseAsync([...args], { from: 'user' })
    return 0
  } catch (error) {
    if (error instanceof Differences) return EXIT.differences
    // Commander has already written the message.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : EXIT.usage
    if (!(error instanceof Failure)) throw error
    out.error(error.message, { ...error.facts })
    return error.exit
  }
}

/** Returns the commands with their options and help. */
export function programOf(io: Io, out: Output): Command {
  const program = new Command('trainyard')
    .description('Order machines, run classes, and read usage and invoices in Trainyard')
    .version(manifest.version, '-V, --version', 'print the version')
    .option('--json', 'write results and errors as JSON')
    .option('--url <url>', 'URL of the portal')
    .option('--organization <name>', 'organisation, for superadmins')
    .option('--no-color', 'write no colors')
    .helpOption('-h, --help', 'show help')
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({
      writeOut: (text) => void io.stdout.write(text),
      writeErr: (text) => void io.stderr.write(text),
    })
    .addHelpText('after', EXAMPLES)
    .showSuggestionAfterError()
    .showHelpAfterError('Run the command with --help to see its arguments.')
    .exitOverride()
    .hook('preAction', (_program, command) => {
      out.color = command.optsWithGlobals<GlobalOptions>().color
    })

  /**
   * Wraps a Commander action so that it receives a CommandContext. Commander passes the options and the command as the last
   * two arguments of an action.
   */
  const inContext =
    <Args extends readonly unknown[]>(callback: (context: CommandContext, ...args: Args) => Promise<void>) =>
    async (...args: Args): Promise<void> => {
      const command = args.at(-1) as Command
      await callback(new CommandContext(io, out, command.optsWithGlobals<GlobalOptions>()), ...args)
    }

  registerLogin(program, io, out)
  for (const register of [
    registerWhoami,
    registerLists,
    registerMachines,
    registerSsh,
    registerOrder,
    registerApply,
    registerClass,
    registerMoney,
    registerProxy,
  ]) {
    register(program, inContext)
  }
  registerGuides(program, inContext, out)
  program
    .command('completion')
    .description('Print a script that completes commands in bash, zsh or fish')
    .argument('<shell>', 'bash, zsh or fish')
    .action((shell: string) => out.result(completionScript(shell), completionScript(shell).trimEnd()))
  program
    .command('complete', { hidden: true })
    .argument('[words...]')
    .action(async (words: string[], _options, command: Command) => {
      const trainings = async () => {
        const context = new CommandContext(io, out, command.optsWithGlobals<GlobalOptions>())
        const timeout = new Promise<string[]>((resolve) => setTimeout(resolve, COMPLETION_MS, []).unref())
        return Promise.race([context.trainings(), timeout]).catch(() => [])
      }
      const candidates = await candidatesFor(program, words, trainings).catch(() => [])
      out.result(candidates, candidates.join('\n'))
    })
  addExamples(program)
  return program
}
