import { parseSync, Visitor } from 'vite'

/** A small change to a source text that some test should notice. Offsets are UTF-16, as JavaScript's strings have them. */
export interface Mutation {
  readonly kind: string
  readonly start: number
  readonly end: number
  readonly replacement: string
}

const OPERATORS: Readonly<Record<string, string>> = {
  '===': '!==',
  '!==': '===',
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '+': '-',
  '-': '+',
  '*': '/',
  '/': '*',
  '&&': '||',
  '||': '&&',
}

/** Calls of a chain that narrow, order or lock; without one the chain still runs. */
const LINKS = new Set(['where', 'filter', 'orderBy', 'limit', 'forUpdate', 'forShare', 'skipLocked', 'onConflict'])

/** Operators that Kysely takes as text. */
const SQL_OPERATORS: Readonly<Record<string, string>> = {
  '=': '!=',
  '!=': '=',
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  is: 'is not',
  'is not': 'is',
  in: 'not in',
}

/** Words of written SQL. The longer come first, so that each place is taken once. */
const SQL_WORDS: readonly (readonly [RegExp, string])[] = [
  [/\bis not null\b/g, 'is null'],
  [/\bis null\b/g, 'is not null'],
  [/\bnot exists\b/g, 'exists'],
  [/<>/g, '='],
  [/<=/g, '<'],
  [/>=/g, '>'],
  [/ < /g, ' <= '],
  [/ > /g, ' >= '],
  [/ and /g, ' or '],
  [/ or /g, ' and '],
  [/ \+ /g, ' - '],
  [/ - /g, ' + '],
  [/\bgreatest\(/g, 'least('],
  [/\bleast\(/g, 'greatest('],
  [/\bskip locked\b/g, ''],
  [/\bfor update\b/g, ''],
]

/** Returns every mutation of the source, in its order. Throws when it can't be parsed. */
export function mutationsIn(file: string, source: string): Mutation[] {
  const found: Mutation[] = []
  const add = (kind: string, start: number, end: number, replacement: string) =>
    found.push({ kind, start, end, replacement })
  const swapOperator = (node: { operator: string; left: Span; right: Span }) => {
    const replacement = OPERATORS[node.operator]
    if (replacement === undefined) return
    const at = source.indexOf(node.operator, node.left.end)
    if (at < node.right.start) add(`${node.operator} to ${replacement}`, at, at + node.operator.length, replacement)
  }
  const types = new Set<number>()
  const { program, errors } = parseSync(file, source)
  if (errors.length > 0) throw new Error(`${file} could not be parsed: ${errors[0]?.message}`)
  new Visitor({
    BinaryExpression: (node) => swapOperator(node),
    LogicalExpression(node) {
      if (node.operator === '??') add('fallback left out', node.left.end, node.right.end, '')
      else swapOperator(node)
    },
    ConditionalExpression({ test }) {
      add('choice always first', test.start, test.end, 'true')
      add('choice always second', test.start, test.end, 'false')
    },
    IfStatement({ test }) {
      add('condition always true', test.start, test.end, 'true')
      add('condition always false', test.start, test.end, 'false')
    },
    UnaryExpression({ operator, start, argument }) {
      if (operator === '!') add('negation left out', start, argument.start, '')
    },
    TSLiteralType: ({ literal }) => void types.add(literal.start),
    Literal({ value, start, end }) {
      if (typeof value === 'boolean' && !types.has(start)) add(`${value} to ${!value}`, start, end, String(!value))
    },
    ExpressionStatement({ expression, start, end }) {
      const inner = expression.type === 'AwaitExpression' ? expression.argument : expression
      if (inner.type === 'CallExpression' || inner.type === 'TaggedTemplateExpression') {
        add('statement left out', start, end, 'void 0;')
      }
    },
    CallExpression({ callee, arguments: args, end }) {
      if (callee.type !== 'MemberExpression' || callee.property.type !== 'Identifier') return
      const { name } = callee.property
      if (LINKS.has(name)) add(`${name}() left out`, callee.object.end, end, '')
      const operator = args[1]
      if (name !== 'where' || operator?.type !== 'Literal') return
      const replacement = SQL_OPERATORS[String(operator.value)]
      if (replacement !== undefined) {
        add(`${operator.value} to ${replacement}`, operator.start, operator.end, `'${replacement}'`)
      }
    },
    TaggedTemplateExpression({ tag, quasi }) {
      if (tag.type !== 'Identifier' || tag.name !== 'sql') return
      for (const { start, end } of quasi.quasis)
        for (const each of inSql(source.slice(start, end), start)) found.push(each)
    },
  }).visit(program)
  return found.toSorted((a, b) => a.start - b.start || a.end - b.end)
}

interface Span {
  readonly start: number
  readonly end: number
}

function inSql(text: string, offset: number): Mutation[] {
  const taken: Mutation[] = []
  for (const [word, replacement] of SQL_WORDS) {
    for (const match of text.matchAll(word)) {
      const start = offset + match.index
      const end = start + match[0].length
      if (taken.some((other) => start < other.end && other.start < end)) continue
      taken.push({ kind: `SQL: ${match[0].trim()} to ${replacement.trim() || 'nothing'}`, start, end, replacement })
    }
  }
  return taken
}

/** Returns the source with the mutation in place. */
export const mutated = (source: string, { start, end, replacement }: Mutation): string =>
  source.slice(0, start) + replacement + source.slice(end)

/** Returns the line, counted from 1, in which the mutation begins. */
export const lineOf = (source: string, { start }: Mutation): number => source.slice(0, start).split('\n').length
