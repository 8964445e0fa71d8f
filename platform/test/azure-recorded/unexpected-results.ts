import { callOf } from '../../emulator/test/recorded-call.ts'
import type { Recording } from '../../emulator/test/recordings.ts'
import { codeOf } from './code.ts'
import { OUTCOMES } from './outcomes.ts'
import { operationFor, replay } from './replay.ts'

const rows = new Map(
  OUTCOMES.map(([operation, status, code, outcomes]) => [`${operation} ${status} ${code}`, Object.keys(outcomes)]),
)

/** Outcomes of a 404 that only mean that the resource does not exist, whatever its code. */
const ABSENT_OUTCOMES: ReadonlySet<string> = new Set(['absent', 'then created', 'remaining: nothing'])

/**
 * Replays each recording to the adapter that would receive it. Returns a line for each unexpected result: an error
 * without a row or with another outcome, or an unreadable response.
 */
export async function unexpectedResults(recordings: readonly Recording[]): Promise<string[]> {
  const unexpected: string[] = []
  for (const recording of recordings) {
    const operation = operationFor(recording)
    if (operation === null) continue
    const { result: outcome } = await replay(operation, [recording])
    const request = `${callOf(recording.method, recording.path).operation} ${recording.status} ${codeOf(recording)}`
    const isAbsent = recording.status === 404 && ABSENT_OUTCOMES.has(outcome)
    const isKnownOutcome =
      recording.status < 400 ? outcome !== 'unknown' : isAbsent || rows.get(request)?.includes(outcome) === true
    if (!isKnownOutcome) unexpected.push(`${recording.id}: ${request} is ${outcome}`)
  }
  return unexpected
}
