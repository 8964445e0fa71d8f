import { ShellSyntaxError } from './syntax-error.ts'
import { type Token, tokensOf, type Word } from './tokens.ts'

export interface ParsedCommand {
  readonly words: readonly Word[]
  readonly redirect: { readonly path: Word; readonly how: 'replace' | 'append' } | null
  /** Operator before the next command. */
  readonly operator: '|' | '&&' | '||' | ';' | null
}

/** Parses a line like a shell: quotes, backslashes, expansions, `;`, `&&`, `||`, `|`, `>` and `>>`. */
export function readLine(line: string): ParsedCommand[] {
  const steps: ParsedCommand[] = []
  let words: Word[] = []
  let redirect: ParsedCommand['redirect'] = null
  const tokens: readonly Token[] = tokensOf(line)
  const end = (operator: ParsedCommand['operator']) => {
    if (words.length === 0 && redirect === null)
      throw new ShellSyntaxError(`syntax error near \`${operator ?? 'newline'}'`)
    steps.push({ words, redirect, operator })
    words = []
    redirect = null
  }
  for (let i = 0; i < tokens.length; i += 1) {
    const token = tokens[i]!
    if ('pieces' in token) words.push(token)
    else if (token.operator === '>' || token.operator === '>>') {
      const target = tokens[(i += 1)]
      if (target === undefined || !('pieces' in target)) throw new ShellSyntaxError("syntax error near `>'")
      redirect = { path: target, how: token.operator === '>' ? 'replace' : 'append' }
    } else end(token.operator)
  }
  if (words.length > 0 || redirect !== null) end(null)
  else if (steps.length > 0 && steps.at(-1)!.operator !== ';')
    throw new ShellSyntaxError('syntax error: unexpected end of line')
  return steps
}
