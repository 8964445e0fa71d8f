import { parseSync, Visitor } from 'vite'
import { isCallFree } from './call-free.ts'

/** Text put around an expression. `ID` stands for the mutation's name, `probe` for the recorder. */
export interface Probe {
  readonly start: number
  readonly end: number
  readonly open: string
  readonly close: string
  /** An operator that a comma takes the place of, so that its operands are arguments. */
  readonly comma?: { readonly start: number; readonly end: number }
}

/** A small change to a source text that some test should notice. Offsets are UTF-16, as JavaScript's strings have them. */
export interface Mutation {
  readonly kind: string
  readonly start: number
  readonly end: number
  readonly replacement: string
  /** Tells while the unchanged program runs that it would have acted differently here. */
  readonly probes: readonly Probe[]
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

const BOUNDS = /^[<>]=?$/

/** A call that only has workers look at once what is due: each looks within a second by itself. */
const isNotice = (call: string): boolean => /^(notifyWorkers\(|sql`\s*select pg_notify\()/.test(call)

/** An instant beside the clock: whether the very microsecond counts makes no difference. */
const isNow = (source: string, { start, end }: Span): boolean =>
  /^sql[^`]*`portal_now\(\)/.test(source.slice(start, end))
const besideNow = (text: string, { index, 0: word }: RegExpExecArray): boolean =>
  text.slice(0, index).trimEnd().endsWith('portal_now()') ||
  /^portal_now\(\)(?! at time zone)/.test(text.slice(index + word.length).trimStart())

/** Returns every mutation of the source, in its order. Throws when it can't be parsed. */
export function mutationsIn(file: string, source: string): Mutation[] {
  const found: Mutation[] = []
  const add = (kind: string, start: number, end: number, replacement: string, ...probes: Probe[]) =>
    found.push({ kind, start, end, replacement, probes })
  const types = new Set<number>()
  const { program, errors } = parseSync(file, source)
  if (errors.length > 0) throw new Error(`${file} could not be parsed: ${errors[0]?.message}`)
  new Visitor({
    BinaryExpression({ operator, left, right, start, end }) {
      const replacement = OPERATORS[operator]
      if (replacement === undefined) return
      const span = spanOf(source, operator, left, right)
      const probe = { start, end, open: `probe.binary(ID, '${operator}', `, close: ')', comma: span }
      add(`${operator} to ${replacement}`, span.start, span.end, replacement, probe)
    },
    LogicalExpression({ operator, left, right }) {
      if (operator === '??') return add('fallback left out', left.end, right.end, '', onEvaluation(right))
      const span = spanOf(source, operator, left, right)
      add(
        `${operator} to ${OPERATORS[operator]}`,
        span.start,
        span.end,
        OPERATORS[operator]!,
        { ...ends(left), open: `probe.left(ID, '${operator}', `, close: ')' },
        { ...ends(right), open: `probe.right(ID, '${operator}', ${isCallFree(right)}, `, close: ')' },
      )
    },
    ConditionalExpression({ test }) {
      add('choice always first', test.start, test.end, 'true', whenNot(test, true))
      add('choice always second', test.start, test.end, 'false', whenNot(test, false))
    },
    IfStatement({ test }) {
      add('condition always true', test.start, test.end, 'true', whenNot(test, true))
      add('condition always false', test.start, test.end, 'false', whenNot(test, false))
    },
    UnaryExpression({ operator, start, end, argument }) {
      if (operator === '!') add('negation left out', start, argument.start, '', onEvaluation({ start, end }))
    },
    TSLiteralType: ({ literal }) => void types.add(literal.start),
    Literal({ value, start, end }) {
      if (typeof value !== 'boolean' || types.has(start)) return
      add(`${value} to ${!value}`, start, end, String(!value), onEvaluation({ start, end }))
    },
    ExpressionStatement({ expression, start, end }) {
      const inner = expression.type === 'AwaitExpression' ? expression.argument : expression
      if (isNotice(source.slice(inner.start, inner.end))) return
      if (inner.type === 'CallExpression' || inner.type === 'TaggedTemplateExpression') {
        add('statement left out', start, end, 'void 0;', {
          ...ends(expression),
          open: 'probe.before(ID) || ',
          close: '',
        })
      }
    },
    CallExpression({ callee, typeArguments, arguments: args, end }) {
      if (callee.type !== 'MemberExpression' || callee.property.type !== 'Identifier') return
      const { name } = callee.property
      const inside = source.indexOf('(', (typeArguments ?? callee).end) + 1
      const asArgument = { start: inside, end: end - 1, open: '...probe.nothing(ID), ', close: '' }
      if (LINKS.has(name)) add(`${name}() left out`, callee.object.end, end, '', asArgument)
      const operator = args[1]
      if (name !== 'where' || operator?.type !== 'Literal') return
      const replacement = SQL_OPERATORS[String(operator.value)]
      const isInstant = BOUNDS.test(String(operator.value)) && args[2] !== undefined && isNow(source, args[2])
      if (replacement !== undefined && !isInstant) {
        const kind = `${operator.value} to ${replacement}`
        add(kind, operator.start, operator.end, `'${replacement}'`, onEvaluation(operator))
      }
    },
    TaggedTemplateExpression(node) {
      const { tag, quasi } = node
      if (tag.type !== 'Identifier' || tag.name !== 'sql') return
      for (const { start, end } of quasi.quasis) {
        for (const each of inSql(source.slice(start, end), start)) {
          add(each.kind, each.start, each.end, each.replacement, onEvaluation(node))
        }
      }
    },
  }).visit(program)
  return found.toSorted((a, b) => a.start - b.start || a.end - b.end)
}

interface Span {
  readonly start: number
  readonly end: number
}

const ends = ({ start, end }: Span): Span => ({ start, end })

/** Returns the place of an operator between its operands. */
function spanOf(source: string, operator: string, left: Span, right: Span): Span {
  const start = source.indexOf(operator, left.end)
  if (start >= right.start) throw new Error(`There is no ${operator} at ${left.end}.`)
  return { start, end: start + operator.length }
}

/** Tells whenever the expression has a value. */
const onEvaluation = (span: Span): Probe => ({ ...ends(span), open: 'probe.evaluated(ID, ', close: ')' })

/** Tells when the condition isn't what it would always be; also when it could do more than be true or false. */
const whenNot = (test: Parameters<typeof isCallFree>[0], always: boolean): Probe => ({
  ...ends(test),
  open: `probe.condition(ID, ${always}, ${isCallFree(test)}, `,
  close: ')',
})

function inSql(text: string, offset: number): Omit<Mutation, 'probes'>[] {
  const taken: Omit<Mutation, 'probes'>[] = []
  for (const [word, replacement] of SQL_WORDS) {
    for (const match of text.matchAll(word)) {
      const start = offset + match.index
      const end = start + match[0].length
      if (taken.some((other) => start < other.end && other.start < end)) continue
      if (BOUNDS.test(match[0].trim()) && besideNow(text, match)) continue
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

/** Returns the text of the line in which the mutation begins. */
export const textOf = (source: string, { start }: Mutation): string =>
  source
    .slice(source.lastIndexOf('\n', start - 1) + 1)
    .split('\n', 1)[0]!
    .trim()
