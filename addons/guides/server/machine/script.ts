import type { ShellTarget } from '@trainyard/remote-access/server/shell.ts'
import { commandOf, interpreterOf } from '../format/script-text.ts'

export interface Script {
  readonly text: string
  readonly args: readonly string[]
  readonly as: 'root' | 'learner'
  readonly seconds: number
  /** Bytes of output that are kept. Default: those of a message. */
  readonly outputMax?: number | undefined
  /** Environment of the script. */
  readonly variables: Readonly<Record<string, string>>
}

export interface ScriptResult {
  /** null: the script did not end in time, or the connection was lost. */
  readonly status: number | null
  /** The last part of the output. */
  readonly output: string
  readonly errorOutput: string
  readonly milliseconds: number
}

export interface ScriptConnection {
  run(script: Script): Promise<ScriptResult>
  close(): void
}

/** Runs scripts on machines. */
export interface Scripts {
  /**
   * @param isKept true for scripts of root that change nothing: uses the connection of an earlier use, and keeps it for the next
   * @throws ShellError
   */
  open(target: ShellTarget, signal: AbortSignal, options?: { readonly isKept?: boolean }): Promise<ScriptConnection>
}

export const OUTPUT_MAX = 2_048
export const ERROR_OUTPUT_MAX = 8_192
/** Folders of the system only, so that a program in the learner's folders is not found first. */
const PATH = '/usr/sbin:/usr/bin:/sbin:/bin'

export const quoted = (text: string) => `'${text.replaceAll("'", String.raw`'\''`)}'`

/**
 * Returns the command that runs a script from standard input. The environment of the login is replaced. `timeout` ends
 * the script on the machine.
 */
export function commandFor({ text, args, as, seconds }: Script): string {
  const interpreter = [commandOf(interpreterOf(text) ?? 'bash'), ...args.map(quoted)].join(' ')
  const limited = `/usr/bin/timeout -k 2 ${seconds} ${interpreter}`
  if (as === 'learner')
    return `/usr/bin/env -i HOME="$HOME" USER="$LOGNAME" LOGNAME="$LOGNAME" PATH=${PATH} LC_ALL=C.UTF-8 ${limited}`
  const root = `/usr/bin/env -i HOME=/root USER=root LOGNAME=root PATH=${PATH} LC_ALL=C.UTF-8 ${limited}`
  // The first line of the input is the password, which sudo reads if it asks for one. Otherwise `read` takes it: a line
  // and nothing else, so that the rest is the script.
  const drop = 'IFS= read -r line; unset line'
  return `exec /bin/sh -c ${quoted(
    `if [ "$(/usr/bin/id -u)" = 0 ]; then ${drop}; exec ${root}; fi; ` +
      `if /usr/bin/sudo -n /bin/true 2>/dev/null </dev/null; then ${drop}; exec /usr/bin/sudo -n ${root}; fi; ` +
      `exec /usr/bin/sudo -S -p '' ${root}`,
  )}`
}

/**
 * Returns the standard input of the command. Variables are not in the command, which other accounts could read. They
 * replace the first line of the script, so that numbers of lines in errors are those of the file.
 */
export function inputFor({ text, as, variables }: Script, password: string): string {
  const interpreter = interpreterOf(text) ?? 'bash'
  const shown = text.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n')
  const body = shown.startsWith('#!') ? shown.slice(shown.indexOf('\n') + 1) : shown
  const hasFirstLine = shown.startsWith('#!')
  const first =
    interpreter === 'python3'
      ? `import os; os.chdir('/'); os.environ.update(${JSON.stringify(variables)})`
      : ['cd /', ...Object.entries(variables).map(([name, value]) => `export ${name}=${quoted(value)}`)].join('; ')
  return `${as === 'root' ? `${password}\n` : ''}${first}${hasFirstLine || interpreter === 'python3' ? '\n' : '; '}${body}\n`
}
