import { errorAt, type Finding, warningAt } from './finding.ts'
import { textOf } from './plain-text.ts'
import { GUIDE_LIMITS } from './schema.ts'

const INTERPRETERS = { bash: '/bin/bash -s --', sh: '/bin/sh -s --', python3: '/usr/bin/python3 -' } as const
export type Interpreter = keyof typeof INTERPRETERS

/** Returns the interpreter that the first line names, by default bash; null for another one. */
export function interpreterOf(script: string): Interpreter | null {
  const first = /^\uFEFF?#!(.*)/.exec(script)?.[1]
  if (first === undefined) return 'bash'
  const name = /^\s*(?:\S*\/env\s+)?(?:\S*\/)?(bash|sh|python3)\s*(?:-\w+\s*)?\r?$/.exec(first)?.[1]
  return (name as Interpreter | undefined) ?? null
}

export const commandOf = (interpreter: Interpreter): string => INTERPRETERS[interpreter]

const READS = 'The script reads standard input, where its own rest is.'
type Rule = readonly [line: RegExp, sentence: string]
const OPTIONS = /^#!\S+(?:\s+\S+)?\s+-\w+\s*$/
const SHELL: readonly Rule[] = [
  [OPTIONS, 'Options of the first line are not used. Write them with set.'],
  // Another file can be read, also by its number.
  [/^\s*(?:(?:IFS=\S*\s+)?read\s(?!.*<|(?:.*\s)?-\w*u)|cat\s*(?:>[^<]*)?$)/, READS],
]
const BASH_ONLY = /(?:^|\s)\[\[\s|<<<|&>|\$\{\w+(?:\^|,|\/)|^\s*(?:(?:source|function|declare|mapfile)\s|\w+=\()/
const RULES: Readonly<Record<Interpreter, readonly Rule[]>> = {
  bash: SHELL,
  sh: [...SHELL, [BASH_ONLY, 'Only bash runs this. Name bash in the first line.']],
  python3: [
    [OPTIONS, 'Options of the first line are not used.'],
    [/\binput\(|\bsys\.stdin\b/, READS],
  ],
}
/** Characters of a line that are searched. */
const LINE_MAX = 500
const LOOP: Rule = [/^\s*while\s+(?:IFS=\S*\s+)?read\s(?!(?:.*\s)?-\w*u)/, READS]
const ARITHMETIC = /\(\(.*?\)\)/g
/** Beginning of a text that a command gets, with the word that ends it. */
const HERE_TEXT = /(?<!<)<<(?!<)-?\s*(?:'([^']+)'|"([^"]+)"|\\?([\w.-]+))/
const NAMED = /^\uFEFF?#!.*\b(?:bash|sh|python3)\s+\S/

/** Returns the errors of a script, and what its interpreter will not do as it is written. */
export function wrongScript(path: string, content: Buffer): Finding[] {
  const text = textOf(content)
  if (content.length > GUIDE_LIMITS.script) return [errorAt(path, '', 'The script is larger than 64 kB.')]
  if (text === null || text.includes('\0')) return [errorAt(path, '', 'The script is not UTF-8.')]
  const interpreter = interpreterOf(text)
  if (interpreter === null)
    return [
      errorAt(
        path,
        1,
        NAMED.test(text.slice(0, LINE_MAX))
          ? 'The first line must name its interpreter without arguments, as #!/usr/bin/env python3 does.'
          : 'The first line must name bash, sh or python3, as #!/bin/bash does.',
      ),
    ]
  if (path.endsWith('.py') && interpreter !== 'python3')
    return [errorAt(path, 1, 'The first line must name python3, as #!/usr/bin/env python3 does.')]
  const isLoopFed = interpreter === 'python3' || /\bdone\s*<|\|\n\s*while\b/.test(text)
  const rules = isLoopFed ? RULES[interpreter] : [...RULES[interpreter], LOOP]
  /** Word that ends the text that a command gets; null outside of such a text. */
  let end: string | null = null
  return text.split('\n').flatMap((whole, index) => {
    const line = whole.slice(0, LINE_MAX)
    if (end !== null) {
      if (line.trim() === end) end = null
      return []
    }
    if (index > 0 && /^\s*#/.test(line)) return []
    if (interpreter !== 'python3')
      end =
        HERE_TEXT.exec(line.replace(ARITHMETIC, ''))
          ?.slice(1)
          .find((word) => word !== undefined) ?? null
    return rules.filter(([wrong]) => wrong.test(line)).map(([, sentence]) => warningAt(path, index + 1, sentence))
  })
}
