import { createHash } from 'node:crypto'
import type { Command, Outcome } from './command.ts'
import { FileError, resolvePath } from './files.ts'

/** Maximum number of lines that `seq` prints, enough to scroll but not to exhaust memory. */
const MAX_LINES = 20_000

type Given = Parameters<Command>[0]

export const textCommands: Readonly<Record<string, Command>> = {
  echo({ args }) {
    const [first = ''] = args
    const options = /^-[ne]+$/.test(first) ? first : ''
    const text = args.slice(options === '' ? 0 : 1).join(' ')
    const printed = options.includes('e')
      ? text.replaceAll(/\\([nt\\])/g, (_all, sign: string) => ESCAPED[sign]!)
      : text
    return { out: options.includes('n') ? printed : `${printed}\n` }
  },

  seq({ args }) {
    const [first, last] = args.length > 1 ? [Number(args[0]), Number(args[1])] : [1, Number(args[0])]
    if (args.length > 2) return { err: 'seq: a step is not supported\n', code: 1 }
    if (!Number.isSafeInteger(first) || !Number.isSafeInteger(last))
      return { err: 'seq: needs whole numbers\n', code: 1 }
    const count = Math.min(MAX_LINES, Math.max(0, last - first + 1))
    return { out: Array.from({ length: count }, (_, i) => `${first + i}\n`).join('') }
  },

  sha256sum: ({ args, at }) => ({
    out: args.map((path) => `${hashOf(at, path)}  ${path}\n`).join(''),
  }),

  head: (commandInput) => part(commandInput, 'head', (lines, count) => lines.slice(0, count)),
  tail: (commandInput) => part(commandInput, 'tail', (lines, count) => lines.slice(Math.max(0, lines.length - count))),

  wc(commandInput) {
    const { options, words: paths } = optionsAndWords(commandInput.args)
    const rows = paths.map((path) => ({ path: ` ${path}`, counts: countsOf(textOf(commandInput, [path])) }))
    if (paths.length === 0) rows.push({ path: '', counts: countsOf(commandInput.input) })
    if (paths.length > 1) rows.push({ path: ' total', counts: countsOf(textOf(commandInput, paths)) })
    const selected = (['l', 'w', 'c'] as const).filter((each) => options === '' || options.includes(each))
    const width = selected.length === 1 ? 0 : paths.length === 0 ? 7 : String(rows.at(-1)!.counts.c).length
    return {
      out: rows
        .map(({ path, counts }) => `${selected.map((each) => String(counts[each]).padStart(width)).join(' ')}${path}\n`)
        .join(''),
    }
  },

  grep(commandInput) {
    const { options, words } = optionsAndWords(commandInput.args)
    const [pattern, ...paths] = words
    if (pattern === undefined) return { err: 'usage: grep [-ivnc] text [file]\n', code: 2 }
    if (/[*[\]\\]/.test(pattern)) return { err: 'grep: only plain text, ^, $ and . are supported\n', code: 2 }
    if (paths.length > 1) return { err: 'grep: several files at once are not supported\n', code: 2 }
    const expression = new RegExp(
      pattern.replaceAll(/[+?(){}|/]/g, String.raw`\$&`),
      options.includes('i') ? 'iu' : 'u',
    )
    const found = linesOf(textOf(commandInput, paths))
      .map((line, i) => ({ line, number: i + 1 }))
      .filter(({ line }) => expression.test(line) !== options.includes('v'))
    const code = found.length === 0 ? 1 : 0
    if (options.includes('c')) return { out: `${found.length}\n`, code }
    const shown = found.map(({ line, number }) => (options.includes('n') ? `${number}:${line}\n` : `${line}\n`))
    return { out: shown.join(''), code }
  },
}

const AT_ONCE = 1024 * 1024

function hashOf({ computer, folder }: Given['at'], path: string): string {
  const found = computer.files.find(resolvePath(folder, path, computer.home))
  if (found === undefined) throw new FileError('No such file or directory')
  if (found.kind === 'folder') throw new FileError('Is a directory')
  const hash = createHash('sha256')
  for (let offset = 0; offset < found.content.size; offset += AT_ONCE) hash.update(found.content.read(offset, AT_ONCE))
  return hash.digest('hex')
}

const ESCAPED: Readonly<Record<string, string>> = { n: '\n', t: '\t', '\\': '\\' }

function part(commandInput: Given, name: string, select: (lines: string[], count: number) => string[]): Outcome {
  const { args } = commandInput
  const countOption = args.findIndex((arg) => /^-\d+$/.test(arg))
  const requested = args.indexOf('-n')
  const count = countOption !== -1 ? -Number(args[countOption]) : requested === -1 ? 10 : Number(args[requested + 1])
  const paths =
    countOption !== -1 ? args.toSpliced(countOption, 1) : requested === -1 ? args : args.toSpliced(requested, 2)
  if (!Number.isSafeInteger(count) || count < 0) return { err: `${name}: invalid number of lines\n`, code: 1 }
  if (paths.length > 1) return { err: `${name}: several files at once are not supported\n`, code: 1 }
  return {
    out: select(linesOf(textOf(commandInput, paths)), count)
      .map((line) => `${line}\n`)
      .join(''),
  }
}

function optionsAndWords(args: readonly string[]): { readonly options: string; readonly words: readonly string[] } {
  return {
    options: args
      .filter((arg) => arg.startsWith('-'))
      .map((arg) => arg.slice(1))
      .join(''),
    words: args.filter((arg) => !arg.startsWith('-')),
  }
}

const countsOf = (text: string) => ({
  l: text.split('\n').length - 1,
  w: text.split(/\s+/).filter(Boolean).length,
  c: Buffer.byteLength(text),
})

function textOf({ at, input }: Given, paths: readonly string[]): string {
  if (paths.length === 0) return input
  const { files, home } = at.computer
  return paths.map((path) => files.read(resolvePath(at.folder, path, home))).join('')
}

const linesOf = (text: string): string[] =>
  text === '' ? [] : (text.endsWith('\n') ? text.slice(0, -1) : text).split('\n')
