import { runCommand } from './commands.ts'

/** Entry of the bundle: runs the command of the process. */
await runCommand(process.argv.slice(2))
