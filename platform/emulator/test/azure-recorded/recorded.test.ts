import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { SKIP_REASONS, skipReason } from './skipped.ts'
import { DIFFERENCES } from './differences.ts'
import { replay } from './replay.ts'
import { startTestEmulator, type TestEmulator } from '../test-emulator.ts'
import { callOf } from '../recorded-call.ts'
import { recordings, whereRecordings, type Recording } from '../recordings.ts'

/** Each recorded request is sent to the emulator, which is in the recorded state, and the replies are compared. */

const all = recordings ?? []

/**
 * Groups the recordings of a sequence into one conversation. Recordings of a refusal and of what followed are separate
 * conversations.
 */
function conversations(): Recording[][] {
  const found = new Map<string, Recording[]>()
  for (const recording of all) {
    const { sequence, id } = recording
    const key = sequence === undefined || /then|pages/.test(sequence) ? id : sequence
    found.set(key, [...(found.get(key) ?? []), recording])
  }
  return [...found.values()]
}

const replayed = conversations().filter(([first]) => first !== undefined && skipReason(first) === null)

const byOperation = Map.groupBy(replayed, ([first]) => (first === undefined ? '' : operationOf(first)))

function operationOf({ method, path }: Recording): string {
  return callOf(method, path).operation
}

describe.skipIf(recordings === null)(`the emulator compared with recorded conversations (${whereRecordings})`, () => {
  let emulator: TestEmulator
  const matchedRules = new Set<RegExp>()
  let same = 0
  let other = 0
  beforeAll(async () => {
    emulator = await startTestEmulator({ clock: 'stepped', latency: 1 })
    // In the recordings, users with roles had been replicated long before.
    await emulator.control('POST', '/_directory', { lagSeconds: 0 })
  })
  afterAll(async () => {
    await emulator.stop()
    const skippedConversations = all.length - same - other
    process.stdout.write(
      `Compared ${same + other} of ${all.length} recordings with the emulator's replies: ${same} are equal, ${other} have known differences (${DIFFERENCES.length} reasons), ${skippedConversations} can't be replayed (${SKIP_REASONS.length} reasons).\n`,
    )
  })

  test.each([...byOperation])('answers %s like Azure', async (_, recordingsOfOperation) => {
    const unlisted: string[] = []
    for (const conversation of recordingsOfOperation) {
      for (const { recording, differences } of await replay(emulator, conversation)) {
        if (differences.length === 0) same += 1
        else other += 1
        for (const difference of differences) {
          const description = `${operationOf(recording)}: ${difference}`
          const matching = DIFFERENCES.flatMap(({ patterns }) =>
            patterns.filter((pattern) => pattern.test(description)),
          )
          if (matching.length === 0) unlisted.push(`${description} (${recording.id})`)
          for (const pattern of matching) matchedRules.add(pattern)
        }
      }
    }
    expect(unlisted).toEqual([])
  })

  test('has no unused entries in the lists of differences and of skipped recordings', () => {
    const stale = DIFFERENCES.flatMap(({ patterns }) => patterns.filter((pattern) => !matchedRules.has(pattern)))
    expect(stale.map(String)).toEqual([])
    const skippedConversations = conversations().filter(([first]) => first !== undefined && skipReason(first) !== null)
    const counts = SKIP_REASONS.map(({ reason }) => [
      reason,
      skippedConversations.filter(([first]) => first !== undefined && skipReason(first) === reason).flat().length,
    ])
    expect(counts).toEqual(SKIP_REASONS.map(({ reason, count }) => [reason, count]))
  })
})
