import { createHash } from 'node:crypto'
import { lineOf, type Mutation, mutationsIn } from './mutations.ts'

/**
 * Returns the names of the mutations of a source, each by its line's text: it keeps its name while lines around it
 * change.
 */
export function namesOf(file: string, source: string, mutations: readonly Mutation[]): string[] {
  const lines = source.split('\n')
  const seen = new Map<string, number>()
  return mutations.map((mutation) => {
    const text = `${mutation.kind} ${lines[lineOf(source, mutation) - 1]?.trim()}`
    const number = (seen.get(text) ?? 0) + 1
    seen.set(text, number)
    return `${file}#${createHash('sha256').update(text).digest('hex').slice(0, 10)}.${number}`
  })
}

/**
 * Returns the source with all probes of its mutations: it does what it did, and tells the mutations that would have
 * changed it. `recorder`: absolute path of the module that hears them.
 */
export function probed(file: string, source: string, recorder: string): string {
  const put: { at: number; upTo: number; text: string; order: number }[] = []
  const mutations = mutationsIn(file, source)
  const names = namesOf(file, source, mutations)
  for (const [index, { probes }] of mutations.entries()) {
    const name = JSON.stringify(names[index])
    for (const { start, end, open, close, comma } of probes) {
      // At one offset what ends there is closed first, the inner before the outer, and then opened the outer first.
      // Of two around the same, the one that takes it apart is the inner one.
      const wide = (end - start) * 10_000 - (comma === undefined ? 0 : 5_000)
      put.push({
        at: start,
        upTo: start,
        text: open.replace('probe.', '__probe.').replace('ID', () => name),
        order: 1e12 - wide + index,
      })
      if (close !== '') put.push({ at: end, upTo: end, text: close, order: wide - index })
      if (comma !== undefined) put.push({ at: comma.start, upTo: comma.end, text: ',', order: 5e11 })
    }
  }
  let told = ''
  let done = 0
  for (const { at, upTo, text } of put.toSorted((a, b) => a.at - b.at || a.order - b.order)) {
    told += source.slice(done, at) + text
    done = upTo
  }
  return `import * as __probe from ${JSON.stringify(recorder)};${told}${source.slice(done)}`
}

/** The file that the recorder writes to: a name on each line. It stands beside the recorder. */
export const REACHED = 'reached.txt'

/** The module that the probes call. It notes each mutation once a process, in child processes too. */
export const RECORDER = `import { appendFileSync } from 'node:fs'
const told = new Set()
function tell(name) {
  if (told.has(name)) return
  told.add(name)
  appendFileSync(new URL('${REACHED}', import.meta.url), name + '\\n')
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
  const [is, would] = OPERATIONS[operator]
  const value = is(left, right)
  try {
    if (!Object.is(value, would(left, right))) tell(name)
  } catch {
    tell(name)
  }
  return value
}
export function left(name, operator, value) {
  const decides = operator === '&&' ? !value : Boolean(value)
  if (decides || typeof value !== 'boolean') tell(name)
  return value
}
export function right(name, operator, free, value) {
  if (!free || value !== (operator === '&&')) tell(name)
  return value
}
export function condition(name, always, free, value) {
  if (!free || Boolean(value) !== always) tell(name)
  return value
}
export function evaluated(name, value) {
  tell(name)
  return value
}
export const before = (name) => tell(name)
export function nothing(name) {
  tell(name)
  return []
}
`
