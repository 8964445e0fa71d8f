import { callOf } from '@trainyard/emulator/test/recorded-call.ts'
import { recordings, whereRecordings, type Recording } from '@trainyard/emulator/test/recordings.ts'
import { afterAll, describe, expect, test } from 'vitest'
import { codeOf } from './code.ts'
import { NOT_PLAYED, OUTCOMES } from './outcomes.ts'
import { judge, operationFor, play } from './plays.ts'

/** Recorded responses of Azure and Entra, replayed to the adapters that would receive them. */

const all = recordings ?? []
const operationOf = ({ method, path }: Recording): string => callOf(method, path).operation

describe.skipIf(recordings === null)(`recorded conversations (${whereRecordings})`, () => {
  let played = 0
  let judged = 0
  afterAll(() => {
    process.stdout.write(
      `Played ${played} of ${all.length} recordings through the adapters, and judged ${judged} refusals by their table alone.\n`,
    )
  })

  test.each(OUTCOMES)('maps %s answered %i %s to %o', async (operation, status, code, expected) => {
    const outcomes: Record<string, number> = {}
    const cutShort: string[] = []
    for (const recording of all) {
      if (operationOf(recording) !== operation) continue
      if (recording.status !== status || codeOf(recording) !== code) continue
      const ours = operationFor(recording)
      if (ours === null) {
        const word = judge(recording)
        outcomes[word] = (outcomes[word] ?? 0) + 1
        judged += 1
        continue
      }
      const { word, pause } = await play(ours, [recording, ...pagesAfter(recording)])
      outcomes[word] = (outcomes[word] ?? 0) + 1
      const asked = Number(recording.headers['retry-after'] ?? 0)
      if (status >= 400 && asked > (pause ?? 0)) cutShort.push(recording.id)
      played += 1
    }
    expect(outcomes).toEqual(expected)
    expect(cutShort, 'pauses that Azure asked for').toEqual([])
  })

  test('replays every recording, or has a reason not to', () => {
    const rows = new Set(OUTCOMES.map(([operation, status, code]) => `${operation} ${status} ${code}`))
    const reasons = new Map(NOT_PLAYED.map(({ why }) => [why, 0]))
    const unknown: string[] = []
    for (const recording of all) {
      const operation = operationOf(recording)
      if (operationFor(recording) === null && recording.status < 400) {
        const why = NOT_PLAYED.find(({ operations }) => operations.test(operation))?.why
        if (why === undefined) unknown.push(`${recording.id}: ${operation}`)
        else reasons.set(why, (reasons.get(why) ?? 0) + 1)
      } else if (!rows.has(`${operation} ${recording.status} ${codeOf(recording)}`)) {
        unknown.push(`${recording.id}: ${operation} ${recording.status} ${codeOf(recording)}`)
      }
    }
    expect(unknown).toEqual([])
    expect(Object.fromEntries(reasons)).toEqual(Object.fromEntries(NOT_PLAYED.map(({ why, count }) => [why, count])))
  })
})

/** Returns the following pages of a recorded list. */
function pagesAfter({ sequence, seq, path }: Recording): Recording[] {
  if (sequence === undefined || operationOf({ method: 'GET', path } as Recording) !== 'GET resources list') return []
  return all.filter((one) => one.sequence === sequence && one.seq === seq + 1 && one.path.includes('$skiptoken'))
}
