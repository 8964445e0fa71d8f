import { compute } from './arithmetic.ts'
import { ShellSyntaxError } from './syntax-error.ts'

const OPERATORS = ['&&', '||', '>>', '|', ';', '>'] as const
type Operator = (typeof OPERATORS)[number]
export type Token = Word | { readonly operator: Operator }

export interface Word {
  readonly pieces: readonly Piece[]
  readonly pattern: boolean
}

export type Variable = (name: string) => string
type Piece = (variable: Variable) => string

export const textOf = ({ pieces: parts }: Word, variable: Variable): string =>
  parts.map((part) => part(variable)).join('')

/** Unsupported shell syntax that would otherwise be misread. Each is refused by name. */
const REFUSED: readonly (readonly [RegExp, string])[] = [
  [/^(\$\((?!\()|`)/, 'command substitution'],
  [/^\d>/, 'redirecting errors'],
  [/^>&/, 'redirecting errors'],
  [/^<</, 'a here document'],
  [/^</, 'reading from a file with <'],
  [/^&/, 'a command in the background'],
  [/^[()]/, 'a subshell'],
  [/^\[(?!\s|$)/, 'a pattern with ['],
  [/^\$\{(?!\w+\})/, 'an expansion of that form'],
]

/** @throws ShellSyntaxError */
export function tokensOf(line: string): Token[] {
  const tokens: Token[] = []
  let word: Piece[] | null = null
  let pattern = false
  let index = 0
  const finish = () => {
    if (word !== null) tokens.push({ pieces: word, pattern })
    word = null
    pattern = false
  }
  const add = (...parts: Piece[]) => {
    word ??= []
    word.push(...parts)
  }
  while (index < line.length) {
    const rest = line.slice(index)
    const operator = OPERATORS.find((each) => rest.startsWith(each))
    const quoted = /^'([^']*)'/.exec(rest)
    const double = /^"((?:[^"\\]|\\.)*)"/.exec(rest)
    const expansion = expansionAt(rest)
    const refused = word === null || !/^\d>/.test(rest) ? REFUSED.find(([form]) => form.test(rest)) : undefined
    let length = 1
    if (/^\s/.test(rest)) finish()
    else if (rest.startsWith('#') && word === null) break
    else if (refused !== undefined && !rest.startsWith('&&')) throw notSupported(refused[1])
    else if (operator !== undefined) {
      finish()
      tokens.push({ operator })
      length = operator.length
    } else if (quoted !== null) {
      add(literal(quoted[1]!))
      length = quoted[0].length
    } else if (double !== null) {
      add(...insideQuotes(double[1]!))
      length = double[0].length
    } else if (rest.startsWith("'") || rest.startsWith('"')) {
      throw new ShellSyntaxError('syntax error: a quote is not closed')
    } else if (expansion !== null) {
      add(expansion.piece)
      length = expansion.length
    } else if (rest.startsWith('\\') && rest.length > 1) {
      add(literal(rest[1]!))
      length = 2
    } else if (/^~(?=[/\s;|&>]|$)/.test(rest) && word === null) add((variable) => variable('HOME'))
    else {
      pattern ||= /^[*?]/.test(rest)
      add(literal(rest[0]!))
    }
    index += length
  }
  finish()
  return tokens
}

const literal =
  (text: string): Piece =>
  () =>
    text

function expansionAt(rest: string): { readonly piece: Piece; readonly length: number } | null {
  const variableMatch = /^\$(?:(\w+|\?)|\{(\w+)\})/.exec(rest)
  if (variableMatch !== null)
    return { piece: (variable) => variable((variableMatch[1] ?? variableMatch[2])!), length: variableMatch[0].length }
  const computed = /^\$\(\((.*?)\)\)(?!\))/.exec(rest)
  if (computed === null) return null
  return { piece: (variable) => compute(computed[1]!, variable), length: computed[0].length }
}

function insideQuotes(text: string): Piece[] {
  const parts: Piece[] = [literal('')]
  for (let index = 0; index < text.length;) {
    const rest = text.slice(index)
    const escaped = /^\\(["\\$`])/.exec(rest)
    const expansion = expansionAt(rest)
    if (escaped === null && expansion === null && /^(\$\(|\$\{|`)/.test(rest)) throw notSupported('this expansion')
    parts.push(escaped === null ? (expansion?.piece ?? literal(rest[0]!)) : literal(escaped[1]!))
    index += escaped?.[0].length ?? expansion?.length ?? 1
  }
  return parts
}

const notSupported = (form: string) => new ShellSyntaxError(`${form} is not supported: this machine is emulated`)
