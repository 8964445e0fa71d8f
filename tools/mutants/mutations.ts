import { parseSync, Visitor } from 'vite'
import { isSideEffectFree } from './side-effects.ts'

/**
 * Text that is inserted around an expression. `ID` is replaced by the mutation's name, `probe` by the recorder module.
 */
export interface Probe {
  readonly start: number
  readonly end: number
  readonly open: string
  readonly close: string
  readonly comma?: { readonly start: number; readonly end: number }
}

/** Small change to a source text that a test should detect. Offsets are UTF-16 code units, as in JavaScript strings. */
export interface Mutation {
  readonly kind: string
  readonly start: number
  readonly end: number
  readonly replacement: string
  /**
   * Probes that record, while the unchanged program runs, that the mutated program would have behaved differently here.
   */
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

/** Chained calls that filter, order or lock. The chain still runs without them. */
const CHAINED_CALLS = new Set([
  'where',
  'filter',
  'orderBy',
  'limit',
  'forUpdate',
  'forShare',
  'skipLocked',
  'onConflict',
])

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

/** Replacements in SQL text. Longer patterns come first, so that each place is matched once. */
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

const COMPARISON = /^[<>]=?$/

/** Returns true for a call that only wakes workers. Without the call, each worker still polls within a second. */
const isWakeUp = (call: string): boolean => /^(notifyWorkers\(|sql`\s*select pg_notify\()/.test(call)

/** A mutated comparison with the current time only changes if the exact microsecond is included. */
const startsWithNow = (source: string, { start, end }: Span): boolean =>
  /^sql[^`]*`portal_now\(\)/.test(source.slice(start, end))
const isComparedWithNow = (text: string, { index, 0: word }: RegExpExecArray): boolean =>
  text.slice(0, index).trimEnd().endsWith('portal_now()') ||
  /^portal_now\(\)(?! at time zone)/.test(text.slice(index + word.length).trimStart())

export function mutationsIn(file: string, source: string): Mutation[] {
  const found: Mutation[] = []
  const add = (kind: string, start: number, end: number, replacement: string, ...probes: Probe[]) =>
    found.push({ kind, start, end, replacement, probes })
  const types = new Set<number>()
  const { program, errors } = parseSync(file, source)
  if (errors.length > 0) throw new Error(`${file} cannot be parsed: ${errors[0]?.message}`)
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
        { ...rangeOf(left), open: `probe.left(ID, '${operator}', `, close: ')' },
        { ...rangeOf(right), open: `probe.right(ID, '${operator}', ${isSideEffectFree(right)}, `, close: ')' },
      )
    },
    ConditionalExpression({ test }) {
      add('choice always first', test.start, test.end, 'true', probeUnless(test, true))
      add('choice always second', test.start, test.end, 'false', probeUnless(test, false))
    },
    IfStatement({ test }) {
      add('condition always true', test.start, test.end, 'true', probeUnless(test, true))
      add('condition always false', test.start, test.end, 'false', probeUnless(test, false))
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
      if (isWakeUp(source.slice(inner.start, inner.end))) return
      if (inner.type === 'CallExpression' || inner.type === 'TaggedTemplateExpression') {
        add('statement left out', start, end, 'void 0;', {
          ...rangeOf(expression),
          open: 'probe.before(ID) || ',
          close: '',
        })
      }
    },
    CallExpression({ callee, typeArguments, arguments: args, end }) {
      if (callee.type !== 'MemberExpression' || callee.property.type !== 'Identifier') return
      const { name } = callee.property
      const argumentStart = source.indexOf('(', (typeArguments ?? callee).end) + 1
      const asArgument = { start: argumentStart, end: end - 1, open: '...probe.nothing(ID), ', close: '' }
      if (CHAINED_CALLS.has(name)) add(`${name}() left out`, callee.object.end, end, '', asArgument)
      const operator = args[1]
      if (name !== 'where' || operator?.type !== 'Literal') return
      const replacement = SQL_OPERATORS[String(operator.value)]
      const isInstant =
        COMPARISON.test(String(operator.value)) && args[2] !== undefined && startsWithNow(source, args[2])
      if (replacement !== undefined && !isInstant) {
        const kind = `${operator.value} to ${replacement}`
        add(kind, operator.start, operator.end, `'${replacement}'`, onEvaluation(operator))
      }
    },
    TaggedTemplateExpression(node) {
      const { tag, quasi } = node
      if (tag.type !== 'Identifier' || tag.name !== 'sql') return
      for (const { start, end } of quasi.quasis) {
        for (const each of sqlMutationsIn(source.slice(start, end), start)) {
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

const rangeOf = ({ start, end }: Span): Span => ({ start, end })

function spanOf(source: string, operator: string, left: Span, right: Span): Span {
  const start = source.indexOf(operator, left.end)
  if (start >= right.start) throw new Error(`No ${operator} found after offset ${left.end}.`)
  return { start, end: start + operator.length }
}

const onEvaluation = (span: Span): Probe => ({ ...rangeOf(span), open: 'probe.evaluated(ID, ', close: ')' })

/** Returns a probe that records when the condition differs from `always`, or when evaluating it has side effects. */
const probeUnless = (test: Parameters<typeof isSideEffectFree>[0], always: boolean): Probe => ({
  ...rangeOf(test),
  open: `probe.condition(ID, ${always}, ${isSideEffectFree(test)}, `,
  close: ')',
})

function sqlMutationsIn(text: string, offset: number): Omit<Mutation, 'probes'>[] {
  const mutations: Omit<Mutation, 'probes'>[] = []
  for (const [word, replacement] of SQL_WORDS) {
    for (const match of text.matchAll(word)) {
      const start = offset + match.index
      const end = start + match[0].length
      if (mutations.some((other) => start < other.end && other.start < end)) continue
      if (COMPARISON.test(match[0].trim()) && isComparedWithNow(text, match)) continue
      mutations.push({ kind: `SQL: ${match[0].trim()} to ${replacement.trim() || 'nothing'}`, start, end, replacement })
    }
  }
  return mutations
}

export const mutated = (source: string, { start, end, replacement }: Mutation): string =>
  source.slice(0, start) + replacement + source.slice(end)

export const lineOf = (source: string, { start }: Mutation): number => source.slice(0, start).split('\n').length

export const textOf = (source: string, { start }: Mutation): string =>
  source
    .slice(source.lastIndexOf('\n', start - 1) + 1)
    .split('\n', 1)[0]!
    .trim()
