import { randomBytes, randomInt } from 'node:crypto'
import type { CheckState } from '../../contract/guide-words.ts'
import { showHidden } from '../text/hidden.ts'
import type { GuideCheck } from '../format/schema.ts'
import type { ScriptResult } from './script.ts'

const MESSAGE_MAX = 300
/** A missing program, or sudo without the right to run the script, must not look like a task that is not done. */
const NOT_RUN =
  /command not found|: not found\s*$|^sudo: |^Sorry, user |is not in the sudoers file|is not allowed to run sudo/m
/** Exit status of `timeout`. */
const TIMED_OUT = 124

/** Returns what the exit status of a check means. */
export function checkStateOf(
  { status, errorOutput }: Pick<ScriptResult, 'status' | 'errorOutput'>,
  exit: GuideCheck['exit'] = 'strict',
): CheckState {
  if (status === 0) return 'green'
  if (status === null || status === TIMED_OUT) return 'broken'
  if (exit === 'loose' && status <= 123) return 'red'
  return status === 1 && !NOT_RUN.test(errorOutput) ? 'red' : 'broken'
}

export const isTimedOut = ({ status }: ScriptResult): boolean => status === null || status === TIMED_OUT

/** Returns the message of a script for the learner: its last line, as plain text. */
export const messageOf = ({ output }: ScriptResult): string =>
  withoutControls(output.trimEnd().split('\n').at(-1) ?? '')
    .trim()
    .slice(0, MESSAGE_MAX)
    // The cut may be within a character, which the database would refuse.
    .toWellFormed()

/** Returns output without control characters other than the ends of lines. */
export const withoutControls = (output: string): string =>
  // oxlint-disable-next-line no-control-regex -- these are removed
  showHidden(output.replace(/\u001B\[[0-9;?]*[ -/]*[@-~]|(?!\n|\t)\p{Cc}/gu, ''), 'text')

const NOUNS = ['notes', 'report', 'data', 'backup', 'plan', 'menu', 'table', 'index']
const FOLDERS = ['/srv', '/opt', '/etc', '/var/lib']

/** Returns a check that must be red: nothing has its random name. */
export function decoyScript(): string {
  const name = `${NOUNS[randomInt(NOUNS.length)]!}-${randomBytes(4).toString('hex')}`
  const path = `${FOLDERS[randomInt(FOLDERS.length)]!}/${name}`
  return `#!/bin/bash\ntest -e ${path} && exit 0\necho "The file ${path} does not exist."\nexit 1\n`
}
