import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { PORT_PRIORITY_FIRST, PORT_PRIORITY_MAX, PORTS_MAX } from '@trainyard/platform/contract/words/limits.ts'
import { makeTraining, type Place } from '@trainyard/usage/server/test-runs.ts'
import { closePort, openPort } from './open.ts'
import { sharedDatabase } from '@trainyard/platform/test/shared.ts'

let trainings = 0
const { db } = await sharedDatabase({ size: 1 })

type OpenTraining = Parameters<typeof openPort>[1]
const scoped = (at: Place) => ({ ...at, organisationId: at.organisation }) as unknown as OpenTraining
const open = (at: Place, port: number, requested: number) =>
  db.transaction().execute((tx) => openPort(tx, scoped(at), port, requested))
const close = (at: Place, port: number) => db.transaction().execute((tx) => closePort(tx, scoped(at), port))
const rows = (at: Place) =>
  db.selectFrom('port').select(['port', 'priority']).where('training_id', '=', at.id).orderBy('port').execute()

async function trainingWithPriorities(first: number, last: number): Promise<Place> {
  const at = await makeTraining(db, `Ports ${trainings++}`)
  await sql`
    insert into port (training_id, organisation_id, port, priority)
    select ${at.id}, ${at.organisation}, 10000 + n, n from generate_series(${first}::int, ${last}::int) as n`.execute(
    db,
  )
  return at
}

test.each([
  ['the requested priority if it is free', [2_000, 1_999], 2_000, 2_000],
  ['the lowest priority for a request below the range', [2_000, 1_999], 1, PORT_PRIORITY_FIRST],
  ['the next free priority above a used one', [2_000, 2_002], 2_000, 2_003],
  ['the highest priority', [4_000, PORT_PRIORITY_MAX - 1], 4_000, PORT_PRIORITY_MAX],
  ['the lowest priority if none above is free', [4_000, PORT_PRIORITY_MAX], 4_000, PORT_PRIORITY_FIRST],
] as const)('a port is opened with %s', async (_, [first, last], requested, priority) => {
  const at = await trainingWithPriorities(first, last)
  await open(at, 80, requested)
  expect((await rows(at))[0]).toEqual({ port: 80, priority })
})

test('limits the number of open ports of a training', async () => {
  const at = await trainingWithPriorities(2_001, 2_000 + PORTS_MAX - 1)
  await open(at, 80, 1_001)
  await expect(open(at, 443, 1_001)).rejects.toThrow(
    `A training can have at most ${PORTS_MAX} open ports. Close one before you open another.`,
  )
  await close(at, 80)
  await open(at, 443, 1_001)
  expect(await rows(at)).toHaveLength(PORTS_MAX)
})

test('opens and closes a port once, only in its own training', async () => {
  const [target, other] = [await trainingWithPriorities(1, 0), await trainingWithPriorities(1, 0)]
  for (const at of [target, other]) for (const port of [80, 443]) await open(at, port, 1_001)
  await expect(open(target, 80, 1_001)).rejects.toThrow('Port 80 is already open.')
  await close(target, 80)
  await expect(close(target, 80)).rejects.toThrow('Port 80 is not open.')
  expect(await rows(target)).toEqual([{ port: 443, priority: 1_002 }])
  expect(await rows(other)).toHaveLength(2)
})
