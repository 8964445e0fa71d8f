import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import type { MachineId, TrainingId } from '@trainyard/platform/contract/words/ids.ts'
import { until } from '@trainyard/platform/test/until.ts'
import { followMachineChanges, type MachineChanges } from './watch.ts'
import { sharedDatabase } from '@trainyard/platform/test/shared.ts'

const database = await sharedDatabase()
const { db } = database
let changes: MachineChanges
afterAll(async () => {
  await changes.close()
})

const training = () => randomUUID() as TrainingId
const machine = () => randomUUID() as MachineId
const change = (of: TrainingId, one: MachineId) =>
  sql`select pg_notify('machine_changed', ${`${of} ${one}`})`.execute(db)

function subscriber(of: TrainingId) {
  const received: (readonly MachineId[] | null)[] = []
  const { unsubscribe } = changes.subscribe(of, (machines) => void received.push(machines))
  return {
    received,
    unsubscribe,
    waitForCount: (count: number) =>
      until(
        'a notification is received',
        async () => received.length,
        (now) => now >= count,
      ),
  }
}

test('notifies a subscriber of each change of its training once, also after the connection broke', async () => {
  // The listener is created here, because the subscribers must exist when the connection is first established.
  changes = followMachineChanges({ connectionString: database.url })
  const [watchedTraining, other] = [training(), training()]
  const [one, two, three] = [machine(), machine(), machine()]
  const [watching, secondSubscriber, otherSubscriber] = [
    subscriber(watchedTraining),
    subscriber(watchedTraining),
    subscriber(other),
  ]
  // The connection is established. Earlier notifications may have been missed.
  await watching.waitForCount(1)
  expect(watching.received).toEqual([null])
  await change(watchedTraining, one)
  await change(watchedTraining, two)
  await change(watchedTraining, one)
  await watching.waitForCount(2)
  expect(watching.received[1]?.toSorted()).toEqual([one, two].toSorted())
  await change(watchedTraining, three)
  await watching.waitForCount(3)
  expect(watching.received[2]).toEqual([three])

  // A closed subscription receives no further changes, not even batched changes. The other subscriptions continue.
  await change(watchedTraining, one)
  watching.unsubscribe()
  await secondSubscriber.waitForCount(4)
  await sql`
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and query like 'listen %'`.execute(db)
  await secondSubscriber.waitForCount(5)
  expect(secondSubscriber.received.slice(3)).toEqual([[one], null])
  await change(watchedTraining, two)
  await secondSubscriber.waitForCount(6)
  expect(secondSubscriber.received[5]).toEqual([two])
  expect(watching.received).toHaveLength(3)
  // Subscribers of other trainings are only notified of the new connection.
  expect(new Set(otherSubscriber.received)).toEqual(new Set([null]))
  secondSubscriber.unsubscribe()
  otherSubscriber.unsubscribe()
})
