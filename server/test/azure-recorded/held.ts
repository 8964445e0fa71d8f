import { callOf } from '@trainyard/emulator/test/recorded-call.ts'
import type { Recording } from '@trainyard/emulator/test/recordings.ts'
import { codeOf } from './code.ts'
import { OUTCOMES } from './outcomes.ts'
import { operationFor, play } from './plays.ts'

const rows = new Map(
  OUTCOMES.map(([operation, status, code, outcomes]) => [`${operation} ${status} ${code}`, Object.keys(outcomes)]),
)

/** Outcomes of a 404 that only mean that the resource does not exist, whatever its code. */
const ABSENT_WORDS: ReadonlySet<string> = new Set(['absent', 'made then', 'left: nothing'])

/**
 * Replays each recording to the adapter that would receive it. Returns a line for each unexpected result: an error
 * without a row or with another outcome, or an unreadable response.
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
