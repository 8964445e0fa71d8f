import { createHash } from 'node:crypto'
import { lineOf, type Mutation, mutationsIn } from './mutations.ts'

/** Returns names derived from the text of each mutation's line, which stay the same while other lines change. */
export function namesOf(file: string, source: string, mutations: readonly Mutation[]): string[] {
  const lines = source.split('\n')
  const counts = new Map<string, number>()
  return mutations.map((mutation) => {
    const text = `${mutation.kind} ${lines[lineOf(source, mutation) - 1]?.trim()}`
    const number = (counts.get(text) ?? 0) + 1
    counts.set(text, number)
    return `${file}#${createHash('sha256').update(text).digest('hex').slice(0, 10)}.${number}`
  })
}

/**
 * Returns the program with probes. It behaves as before, and records the mutations that would have changed its
 * behaviour.
 */
export function probed(file: string, source: string, recorder: string): string {
  const insertions: { at: number; upTo: number; text: string; order: number }[] = []
  const mutations = mutationsIn(file, source)
  const names = namesOf(file, source, mutations)
  for (const [index, { probes }] of mutations.entries()) {
    const name = JSON.stringify(names[index])
    for (const { start, end, open, close, comma } of probes) {
      // Order of probes at one offset: first those that close (inner before outer), then those that open (outer before
      // inner). A probe that is split into operands is the inner one.
      const orderKey = (end - start) * 10_000 - (comma === undefined ? 0 : 5_000)
      insertions.push({
        at: start,
        upTo: start,
        text: open.replace('probe.', '__probe.').replace('ID', () => name),
        order: 1e12 - orderKey + index,
      })
      if (close !== '') insertions.push({ at: end, upTo: end, text: close, order: orderKey - index })
      if (comma !== undefined) insertions.push({ at: comma.start, upTo: comma.end, text: ',', order: 5e11 })
    }
  }
  let output = ''
  let copiedUpTo = 0
  for (const { at, upTo, text } of insertions.toSorted((a, b) => a.at - b.at || a.order - b.order)) {
    output += source.slice(copiedUpTo, at) + text
    copiedUpTo = upTo
  }
  return `import * as __probe from ${JSON.stringify(recorder)};${output}${source.slice(copiedUpTo)}`
}

export const RECORD_FILE = 'reached.txt'

/** Source of the module that the probes call. Records each mutation once per process, also in child processes. */
export const RECORDER = `import { appendFileSync } from 'node:fs'
const recorded = new Set()
function record(name) {
  if (recorded.has(name)) return
  recorded.add(name)
  appendFileSync(new URL('${RECORD_FILE}', import.meta.url), name + '\\n')
}
const PAIRS = {
  '===': [(a, b) => a === b, (a, b) => a !== b],
  '<': [(a, b) => a < b, (a, b) => a <= b],
  '>': [(a, b) => a > b, (a, b) => a >= b],
  '+': [(a, b) => a + b, (a, b) => a - b],
  '*': [(a, b) => a * b, (a, b) => a / b],
}
const OPERATIONS = {
  ...PAIRS,
  ...Object.fromEntries([['!==', '==='], ['<=', '<'], ['>=', '>'], ['-', '+'], ['/', '*']].map(
    ([operator, other]) => [operator, PAIRS[other].toReversed()],
  )),
}
export function binary(name, operator, left, right) {
  const [original, mutated] = OPERATIONS[operator]
  const value = original(left, right)
  try {
    if (!Object.is(value, mutated(left, right))) record(name)
  } catch {
    record(name)
  }
  return value
}
export function left(name, operator, value) {
  const decides = operator === '&&' ? !value : Boolean(value)
  if (decides || typeof value !== 'boolean') record(name)
  return value
}
export function right(name, operator, free, value) {
  if (!free || value !== (operator === '&&')) record(name)
  return value
}
export function condition(name, always, free, value) {
  if (!free || Boolean(value) !== always) record(name)
  return value
}
export function evaluated(name, value) {
  record(name)
  return value
}
export const before = (name) => record(name)
export function nothing(name) {
  record(name)
  return []
}
`
