import { callOf } from '@trainyard/emulator/test/recorded-call.ts'
import type { Recording } from '@trainyard/emulator/test/recordings.ts'
import { codeOf } from './code.ts'
import { OUTCOMES } from './outcomes.ts'
import { operationFor, play } from './plays.ts'

const rows = new Map(
  OUTCOMES.map(([operation, status, code, outcomes]) => [`${operation} ${status} ${code}`, Object.keys(outcomes)]),
)

/** Outcomes of a 404 that mean no more than that the thing is not there, whichever code says so. */
const ABSENT_WORDS: ReadonlySet<string> = new Set(['absent', 'made then', 'left: nothing'])

/**
 * Gives each answer to the adapter that would receive it, and returns a line for each that the adapter makes of it what
 * no recording shows: a refusal without a row in the table or with another outcome, an answer that it can't read.
 */
export async function surprisesIn(recordings: readonly Recording[]): Promise<string[]> {
  const surprises: string[] = []
  for (const recording of recordings) {
    const operation = operationFor(recording)
    if (operation === null) continue
    const { word } = await play(operation, [recording])
    const asked = `${callOf(recording.method, recording.path).operation} ${recording.status} ${codeOf(recording)}`
    const gone = recording.status === 404 && ABSENT_WORDS.has(word)
    const known = recording.status < 400 ? word !== 'unknown' : gone || rows.get(asked)?.includes(word) === true
    if (!known) surprises.push(`${recording.id}: ${asked} is ${word}`)
  }
  return surprises
}
