import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { BEYOND, beyond } from '#test/azure-recorded/beyond.ts'
import { DIFFERENCES } from '#test/azure-recorded/differences.ts'
import { replay } from '#test/azure-recorded/replay.ts'
import { startFarEnd, type FarEnd } from '#test/far-end.ts'
import { callOf } from '#test/recorded-call.ts'
import { recordings, whereRecordings, type Recording } from '#test/recordings.ts'

/** Every recorded request is asked of the emulator, in the state that it was asked in, and the answers are compared. */

const all = recordings ?? []

/** Lines of a sequence go one after the other; those of a refusal and what followed it are scenes of their own. */
function conversations(): Recording[][] {
  const found = new Map<string, Recording[]>()
  for (const recording of all) {
    const { sequence, id } = recording
    const key = sequence === undefined || /then|pages/.test(sequence) ? id : sequence
    found.set(key, [...(found.get(key) ?? []), recording])
  }
  return [...found.values()]
}

const replayed = conversations().filter(([first]) => first !== undefined && beyond(first) === null)

/** Each kind of request is a test. */
const byOperation = Map.groupBy(replayed, ([first]) => (first === undefined ? '' : operationOf(first)))

function operationOf({ method, path }: Recording): string {
  return callOf(method, path).operation
}

describe.skipIf(recordings === null)(`the emulator beside recorded conversations (${whereRecordings})`, () => {
  let farEnd: FarEnd
  const met = new Set<RegExp>()
  let same = 0
  let other = 0
  beforeAll(async () => {
    farEnd = await startFarEnd({ clock: 'stepped', latency: 1 })
    // Whom the recordings gave a role had been known for long.
    await farEnd.control('POST', '/_directory', { lagSeconds: 0 })
  })
  afterAll(async () => {
    await farEnd.stop()
    const left = all.length - same - other
    process.stdout.write(
      `Compared ${same + other} of ${all.length} recordings with the emulator's answers: ${same} alike, ${other} with differences of ${DIFFERENCES.length} listed kinds; ${left} can't be replayed, for ${BEYOND.length} reasons.\n`,
    )
  })

  test.each([...byOperation])('%s is answered as Azure answers it', async (_, these) => {
    const unlisted: string[] = []
    for (const conversation of these) {
      for (const { recording, differences } of await replay(farEnd, conversation)) {
        if (differences.length === 0) same += 1
        else other += 1
        for (const difference of differences) {
          const said = `${operationOf(recording)}: ${difference}`
          const patterns = DIFFERENCES.flatMap(({ shown }) => shown.filter((pattern) => pattern.test(said)))
          if (patterns.length === 0) unlisted.push(`${said} (${recording.id})`)
          for (const pattern of patterns) met.add(pattern)
        }
      }
    }
    expect(unlisted).toEqual([])
  })

  test('every listed difference is met, and every recording that is not replayed has its reason', () => {
    const stale = DIFFERENCES.flatMap(({ shown }) => shown.filter((pattern) => !met.has(pattern)))
    expect(stale.map(String)).toEqual([])
    const left = conversations().filter(([first]) => first !== undefined && beyond(first) !== null)
    const counts = BEYOND.map(({ why }) => [
      why,
      left.filter(([first]) => first !== undefined && beyond(first) === why).flat().length,
    ])
    expect(counts).toEqual(BEYOND.map(({ why, count }) => [why, count]))
  })
})
