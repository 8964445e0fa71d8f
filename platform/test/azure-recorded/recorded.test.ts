/** @module-tag full */
import { callOf } from '../../emulator/test/recorded-call.ts'
import { recordings, whereRecordings, type Recording } from '../../emulator/test/recordings.ts'
import { afterAll, describe, expect, test } from 'vitest'
import { codeOf } from './code.ts'
import { NOT_REPLAYED, OUTCOMES } from './outcomes.ts'
import { tableOutcome, operationFor, replay } from './replay.ts'

/** Recorded responses of Azure and Entra, replayed to the adapters that would receive them. */

const all = recordings ?? []
const operationOf = ({ method, path }: Recording): string => callOf(method, path).operation

describe.skipIf(recordings === null)(`recorded conversations (${whereRecordings})`, () => {
  let replayed = 0
  let mapped = 0
  afterAll(() => {
    process.stdout.write(
      `Replayed ${replayed} of ${all.length} recordings through the adapters, and mapped ${mapped} errors by the table only.\n`,
    )
  })

  test.each(OUTCOMES)('maps %s answered %i %s to %o', async (operation, status, code, expected) => {
    const outcomes: Record<string, number> = {}
    const truncated: string[] = []
    for (const recording of all) {
      if (operationOf(recording) !== operation) continue
      if (recording.status !== status || codeOf(recording) !== code) continue
      const portalOperation = operationFor(recording)
      if (portalOperation === null) {
        const outcome = tableOutcome(recording)
        outcomes[outcome] = (outcomes[outcome] ?? 0) + 1
        mapped += 1
        continue
      }
      const { result: outcome, pause } = await replay(portalOperation, [recording, ...pagesAfter(recording)])
      outcomes[outcome] = (outcomes[outcome] ?? 0) + 1
      const requested = Number(recording.headers['retry-after'] ?? 0)
      if (status >= 400 && requested > (pause ?? 0)) truncated.push(recording.id)
      replayed += 1
    }
    expect(outcomes).toEqual(expected)
    expect(truncated, 'recordings whose requested pause was shortened').toEqual([])
  })

  test('replays every recording, or has a reason not to', () => {
    const rows = new Set(OUTCOMES.map(([operation, status, code]) => `${operation} ${status} ${code}`))
    const reasons = new Map(NOT_REPLAYED.map(({ reason }) => [reason, 0]))
    const unknown: string[] = []
    for (const recording of all) {
      const operation = operationOf(recording)
      if (operationFor(recording) === null && recording.status < 400) {
        const reason = NOT_REPLAYED.find(({ operations }) => operations.test(operation))?.reason
        if (reason === undefined) unknown.push(`${recording.id}: ${operation}`)
        else reasons.set(reason, (reasons.get(reason) ?? 0) + 1)
      } else if (!rows.has(`${operation} ${recording.status} ${codeOf(recording)}`)) {
        unknown.push(`${recording.id}: ${operation} ${recording.status} ${codeOf(recording)}`)
      }
    }
    expect(unknown).toEqual([])
    expect(Object.fromEntries(reasons)).toEqual(
      Object.fromEntries(NOT_REPLAYED.map(({ reason, count }) => [reason, count])),
    )
  })
})

function pagesAfter({ sequence, seq, path }: Recording): Recording[] {
  if (sequence === undefined || operationOf({ method: 'GET', path } as Recording) !== 'GET resources list') return []
  return all.filter((each) => each.sequence === sequence && each.seq === seq + 1 && each.path.includes('$skiptoken'))
}
