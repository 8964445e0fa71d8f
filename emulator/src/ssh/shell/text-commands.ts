import type { Command } from '#src/ssh/shell/command.ts'
import { resolvePath } from '#src/ssh/shell/files.ts'

/** `seq` may print this many lines: enough to scroll, too few to fill a memory. */
const MOST_LINES = 20_000

type Given = Parameters<Command>[0]

/** Commands that print and filter text. */
export const textCommands: Readonly<Record<string, Command>> = {
  echo: ({ args }) => (args[0] === '-n' ? { out: args.slice(1).join(' ') } : { out: `${args.join(' ')}\n` }),

  seq({ args }) {
    const [first, last] = args.length > 1 ? [Number(args[0]), Number(args[1])] : [1, Number(args[0])]
    if (!Number.isSafeInteger(first) || !Number.isSafeInteger(last))
      return { err: 'seq: needs whole numbers\n', code: 1 }
    const count = Math.min(MOST_LINES, Math.max(0, last - first + 1))
    return { out: Array.from({ length: count }, (_, i) => `${first + i}\n`).join('') }
  },

  head: (given) => part(given, (lines, count) => lines.slice(0, count)),
  tail: (given) => part(given, (lines, count) => lines.slice(Math.max(0, lines.length - count))),

  wc(given) {
    const text = textOf(
      given,
      given.args.filter((arg) => !arg.startsWith('-')),
    )
    const lines = text.split('\n').length - 1
    if (given.args.includes('-l')) return { out: `${lines}\n` }
    return { out: `${lines} ${text.split(/\s+/).filter(Boolean).length} ${text.length}\n` }
  },

  grep(given) {
    const flags = given.args.filter((arg) => arg.startsWith('-')).join('')
    const [wanted, ...paths] = given.args.filter((arg) => !arg.startsWith('-'))
    if (wanted === undefined) return { err: 'usage: grep text [file]\n', code: 2 }
    const fold = (text: string) => (flags.includes('i') ? text.toLowerCase() : text)
    const found = linesOf(textOf(given, paths)).filter((line) => fold(line).includes(fold(wanted)))
    return { out: found.map((line) => `${line}\n`).join(''), code: found.length === 0 ? 1 : 0 }
  },
}

function part(given: Given, take: (lines: string[], count: number) => string[]) {
  const asked = given.args.indexOf('-n')
  const count = asked === -1 ? 10 : Number(given.args[asked + 1])
  const paths = asked === -1 ? given.args : given.args.toSpliced(asked, 2)
  if (!Number.isSafeInteger(count) || count < 0) return { err: 'invalid number of lines\n', code: 1 }
  return {
    out: take(linesOf(textOf(given, paths)), count)
      .map((line) => `${line}\n`)
      .join(''),
  }
}

function textOf({ at, input }: Given, paths: readonly string[]): string {
  if (paths.length === 0) return input
  const { files, home } = at.computer
  return paths.map((path) => files.read(resolvePath(at.folder, path, home))).join('')
}

const linesOf = (text: string): string[] => (text.endsWith('\n') ? text.slice(0, -1) : text).split('\n')
