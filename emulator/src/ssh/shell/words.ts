/** One command of a line, with where its output goes and what becomes of the next one. */
export interface Step {
  readonly words: readonly string[]
  readonly redirect: { readonly path: string; readonly how: 'replace' | 'append' } | null
  /** How it is joined to the next: its output goes there, or that runs only if this went well, or badly, or always. */
  readonly joint: '|' | '&&' | '||' | ';' | null
}

export class SyntaxTrouble extends Error {
  override readonly name = 'SyntaxTrouble'
}

const OPERATORS = ['&&', '||', '>>', '|', ';', '>'] as const
type Operator = (typeof OPERATORS)[number]
type Token = { readonly word: string } | { readonly operator: Operator }

/** Reads a line as a shell would: quotes, backslashes, `$NAME`, `;`, `&&`, `||`, `|`, `>` and `>>`. */
export function readLine(line: string, variable: (name: string) => string): Step[] {
  const steps: Step[] = []
  let words: string[] = []
  let redirect: Step['redirect'] = null
  const tokens = tokensOf(line, variable)
  const end = (joint: Step['joint']) => {
    if (words.length === 0 && redirect === null) throw new SyntaxTrouble(`syntax error near \`${joint ?? 'newline'}'`)
    steps.push({ words, redirect, joint })
    words = []
    redirect = null
  }
  for (let i = 0; i < tokens.length; i += 1) {
    const token = tokens[i]!
    if ('word' in token) words.push(token.word)
    else if (token.operator === '>' || token.operator === '>>') {
      const target = tokens[(i += 1)]
      if (target === undefined || !('word' in target)) throw new SyntaxTrouble("syntax error near `>'")
      redirect = { path: target.word, how: token.operator === '>' ? 'replace' : 'append' }
    } else end(token.operator)
  }
  if (words.length > 0 || redirect !== null) end(null)
  else if (steps.length > 0 && steps.at(-1)!.joint !== ';')
    throw new SyntaxTrouble('syntax error: unexpected end of line')
  return steps
}

function tokensOf(line: string, variable: (name: string) => string): Token[] {
  const tokens: Token[] = []
  let word: string | null = null
  let at = 0
  const finish = () => {
    if (word !== null) tokens.push({ word })
    word = null
  }
  const put = (text: string) => {
    word = (word ?? '') + text
  }
  while (at < line.length) {
    const rest = line.slice(at)
    const operator = OPERATORS.find((each) => rest.startsWith(each))
    const quoted = /^'([^']*)'/.exec(rest)
    const double = /^"((?:[^"\\]|\\.)*)"/.exec(rest)
    const named = /^\$(\w+|\?)/.exec(rest)
    if (/^\s/.test(rest)) finish()
    else if (rest.startsWith('#') && word === null) break
    else if (operator !== undefined) {
      finish()
      tokens.push({ operator })
      at += operator.length - 1
    } else if (quoted !== null) {
      put(quoted[1]!)
      at += quoted[0].length - 1
    } else if (double !== null) {
      put(
        double[1]!.replaceAll(
          /\\(["\\$])|\$(\w+|\?)/g,
          (_all, kept?: string, name?: string) => kept ?? variable(name!),
        ),
      )
      at += double[0].length - 1
    } else if (rest.startsWith("'") || rest.startsWith('"')) {
      throw new SyntaxTrouble('syntax error: a quote is not closed')
    } else if (named !== null) {
      put(variable(named[1]!))
      at += named[0].length - 1
    } else if (rest.startsWith('\\') && rest.length > 1) {
      put(rest[1]!)
      at += 1
    } else put(rest[0]!)
    at += 1
  }
  finish()
  return tokens
}
