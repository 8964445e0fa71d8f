import { ShellSyntaxError } from './syntax-error.ts'

type Read = () => number

const LEVELS: readonly Readonly<Record<string, (a: number, b: number) => number>>[] = [
  { '+': (a, b) => a + b, '-': (a, b) => a - b },
  { '*': (a, b) => a * b, '/': (a, b) => Math.trunc(divided(a, b)), '%': (a, b) => (divided(a, b), a % b) },
]

/**
 * Supports integers, names, + - * / % and parentheses.
 * @throws ShellSyntaxError
 */
export function compute(text: string, variable: (name: string) => string): string {
  const tokens = text.match(/\d+|\w+|\S/g) ?? []
  let at = 0
  const level = (depth: number): Read => {
    const operators = LEVELS[depth]
    if (operators === undefined) return single
    const inner = level(depth + 1)
    return () => {
      let value = inner()
      for (let apply = operators[tokens[at] ?? '']; apply !== undefined; apply = operators[tokens[at] ?? '']) {
        at += 1
        value = apply(value, inner())
      }
      return value
    }
  }
  const single: Read = () => {
    const token = tokens[at++]
    if (token === undefined) throw new ShellSyntaxError('arithmetic: operand expected')
    if (/^\d/.test(token)) return Number(token)
    if (/^\w/.test(token)) return Number(variable(token)) || 0
    if (token === '-') return -single()
    if (token !== '(') throw new ShellSyntaxError(`arithmetic: ${token} is not supported`)
    const value = sum()
    if (tokens[at++] !== ')') throw new ShellSyntaxError('arithmetic: a parenthesis is not closed')
    return value
  }
  const sum = level(0)
  const value = sum()
  if (at < tokens.length) throw new ShellSyntaxError(`arithmetic: ${tokens[at]} is not supported`)
  if (!Number.isSafeInteger(value)) throw new ShellSyntaxError('arithmetic: the number is too large')
  return String(value + 0)
}

function divided(a: number, b: number): number {
  if (b === 0) throw new ShellSyntaxError('division by 0')
  return a / b
}
