import { ShellSyntaxError } from '#src/ssh/shell/syntax-error.ts'
import { type Token, tokensOf, type Word } from '#src/ssh/shell/tokens.ts'

/** One command of a line, with where its output goes and what becomes of the next one. */
export interface Step {
  readonly words: readonly Word[]
  readonly redirect: { readonly path: Word; readonly how: 'replace' | 'append' } | null
  /** How it is joined to the next: its output goes there, or that runs only if this went well, or badly, or always. */
  readonly joint: '|' | '&&' | '||' | ';' | null
}

/** Reads a line as a shell would: quotes, backslashes, expansions, `;`, `&&`, `||`, `|`, `>` and `>>`. */
export function readLine(line: string): Step[] {
  const steps: Step[] = []
  let words: Word[] = []
  let redirect: Step['redirect'] = null
  const tokens: readonly Token[] = tokensOf(line)
  const end = (joint: Step['joint']) => {
    if (words.length === 0 && redirect === null)
      throw new ShellSyntaxError(`syntax error near \`${joint ?? 'newline'}'`)
    steps.push({ words, redirect, joint })
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
  else if (steps.length > 0 && steps.at(-1)!.joint !== ';')
    throw new ShellSyntaxError('syntax error: unexpected end of line')
  return steps
}
