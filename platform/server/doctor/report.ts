import { styleText } from 'node:util'
import { counted } from '../../contract/words/counted.ts'
import type { Result } from './check.ts'

type State = Result['state']

const COLOURS = { green: 'green', red: 'red', 'not used': 'gray', 'not run': 'yellow' } as const
const WIDTH = Math.max(...Object.keys(COLOURS).map(({ length }) => length))

export const allChecksPass = (results: readonly Result[]): boolean =>
  results.every(({ state }) => state === 'green' || state === 'not used')

export function asTable(results: readonly Result[]): string {
  const names = Math.max(...results.map((result) => titleOf(result).length))
  const lines = results.flatMap((result) => {
    const [first = '', ...others] = sentencesOf(result)
    const head = `${styleText(COLOURS[result.state], result.state.padEnd(WIDTH))}  ${titleOf(result).padEnd(names)}  `
    const indent = ' '.repeat(WIDTH + names + 4)
    return [head + first, ...others.map((sentence) => indent + sentence)]
  })
  return `${lines.join('\n')}\n\n${summaryOf(results)}\n`
}

export function asJson(results: readonly Result[]): string {
  const checks = results.map(({ check: { group, name }, ...finding }) => ({ group, name, ...finding }))
  return `${JSON.stringify({ well: allChecksPass(results), checks }, null, 2)}\n`
}

const titleOf = ({ check: { group, name } }: Result): string => `${group}: ${name}`

function sentencesOf(result: Result): string[] {
  const output =
    result.state === 'red' ? result.problems.flatMap(({ what, todo }) => [what, `To do: ${todo}`]) : [result.what]
  return output.map(onOneLine)
}

/**
 * Removes line breaks and control characters. Sentences quote servers, which could otherwise change the terminal or add
 * lines that look like results.
 */
const onOneLine = (sentence: string): string => sentence.replaceAll(/\s*\n\s*/g, ' ').replaceAll(/\p{Cc}/gu, '')

function summaryOf(results: readonly Result[]): string {
  const count = (requested: State) => results.filter(({ state }) => state === requested).length
  const counts = (Object.keys(COLOURS) as State[]).map((state) => `${count(state)} ${state}`)
  return `${counted(results.length, 'check')}: ${counts.join(', ')}.`
}
