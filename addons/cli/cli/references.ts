import { mkdirSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Output } from './output.ts'
import { programOf } from './program.ts'

type Command = ReturnType<typeof programOf>

/** Writes docs/generated/command-line.md, a part of `npm run references`. */
const io = { stdin: process.stdin, stdout: process.stdout, stderr: process.stderr, env: {}, fetch }
const leaves = (command: Command): readonly Command[] =>
  command.commands.length === 0 ? [command] : command.commands.flatMap(leaves)
const program = programOf(io, new Output(io))
const visible = (command: Command): readonly Command[] => command.createHelp().visibleCommands(command)
const nameOf = (command: Command): string =>
  command.parent === null ? command.name() : `${nameOf(command.parent)} ${command.name()}`
const commands = visible(program)
  .filter((command) => command.name() !== 'help')
  .flatMap(leaves)
const page = `# Commands of trainyard

${commands.map((command) => `## ${nameOf(command)}\n\n\`\`\`\n${command.helpInformation().trim()}\n\`\`\``).join('\n\n')}
`
const folder = fileURLToPath(new URL('../../../docs/generated/', import.meta.url))
mkdirSync(folder, { recursive: true })
writeFileSync(`${folder}command-line.md`, page)
process.stdout.write('docs/generated/command-line.md\n')
