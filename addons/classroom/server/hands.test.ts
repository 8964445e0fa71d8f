import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import type { ClassView, OwnClass } from '../contract/classroom.ts'
import { CLASS } from '../contract/classroom-words.ts'
import type { MachineId } from '@trainyard/platform/contract/words/ids.ts'
import { setPortalClock } from '@trainyard/platform/test/clock.ts'
import { machinesOf, order, people } from '@trainyard/platform/test/orders.ts'
import { sharedEnvironment } from '@trainyard/platform/test/shared.ts'
import { suspendTask } from '@trainyard/platform/test/tasks.ts'
import { until } from '@trainyard/platform/test/until.ts'
import type { Tx } from '@trainyard/platform/server/db/schema.ts'
import { upsertInput } from '@trainyard/remote-access/server/queries.ts'
import { upsertActivity, upsertPresence } from './queries.ts'

const env = await sharedEnvironment()
await suspendTask(env.db, 'read machine metrics')
await env.worker()
const acme = await env.organisation('Acme Learning')
const globex = await env.organisation('Globex')
const admin = await env.signIn('admin', 'admin@acme.test', acme)
const foreignAdmin = await env.signIn('admin', 'admin@globex.test', globex)
const learners = people(3)
const [first, second] = await Promise.all(learners.map((email) => env.signIn('user', email, acme)))
const teacher = await env.signIn('user', 'teacher@acme.test', acme)
await admin('POST', '/azure/machines', order('Linux', learners))
await admin('POST', '/azure/machines', order('Other', learners.slice(0, 1)))
await admin('POST', '/azure/class/instructors', { trainingName: 'Linux', email: 'teacher@acme.test' })
const running = () =>
  until(
    'the machines run',
    () => machinesOf(admin, 'Linux'),
    (all) => all.every(({ status }) => status === 'Running'),
  )
await running()

const TRAINING_QUERY = 'trainingName=Linux'
const inClass = { trainingName: 'Linux' }
const view = async () => (await admin('GET', `/azure/class?${TRAINING_QUERY}`)).body as ClassView
const seatOf = async (email: string) => (await view()).seats.find(({ machine }) => machine.email === email)!

describe('a raised hand', () => {
  const own = async (as: typeof admin) =>
    ((await as('GET', '/azure/class/mine')).body as OwnClass[]).find(({ trainingName }) => trainingName === 'Linux')!

  test('has a position in the queue, which does not change when the learner adds a reason', async () => {
    // The hand of a learner who no longer has a machine does not count.
    await sql`insert into raised_hand (training_id, organisation_id, email, raised_at)
      select id, organisation_id, 'left@acme.test', portal_now() - interval '1 minute' from training
      where name = 'Linux' and organisation_id = ${acme}`.execute(env.db)
    await first!('POST', '/azure/class/hand', inClass)
    await second!('POST', '/azure/class/hand', { ...inClass, reason: 'slow' })
    await first!('POST', '/azure/class/hand', { ...inClass, reason: 'stuck' })
    // A request without a reason keeps the stored reason.
    await first!('POST', '/azure/class/hand', inClass)
    expect(await own(first!)).toMatchObject({ handReason: 'stuck', handPlace: 1 })
    expect(await own(second!)).toMatchObject({ handReason: 'slow', handPlace: 2 })
    expect((await seatOf(learners[0]!)).handReason).toBe('stuck')
    expect((await first!('POST', '/azure/class/hand', { ...inClass, reason: 'bored' })).status).toBe(400)
  })

  test('is listed for users who lead the class, the earliest hand first', async () => {
    await first!('POST', '/azure/class/hand', { trainingName: 'Other' })
    const listed = async (as: typeof admin) =>
      ((await as('GET', '/azure/class/hands')).body.hands as { trainingName: string; email: string }[]).map(
        ({ trainingName, email }) => [trainingName, email],
      )
    const linux = [
      ['Linux', learners[0]],
      ['Linux', learners[1]],
    ]
    expect(await listed(admin)).toEqual([...linux, ['Other', learners[0]]])
    expect(await listed(teacher)).toEqual(linux)
    expect(await listed(foreignAdmin)).toEqual([])
    expect((await first!('GET', '/azure/class/hands')).status).toBe(403)
  })
})

describe('the activity of the last ten minutes', () => {
  test('contains minutes with input, a busy processor or a confirmation, and no older minutes', async () => {
    const seat = await seatOf(learners[2]!)
    expect(seat.activeMinutes).toEqual([])
    const machine = seat.machine._id as MachineId
    // The times are starts of minutes, so that the test does not depend on the second in which it runs.
    const present = Math.floor(Date.now() / 60_000) * 60_000
    const at = (minutes: number) => new Date(present - minutes * 60_000)
    /** Makes a change while the clock of its transaction shows an earlier minute. */
    const ago = (minutes: number, change: (tx: Tx) => Promise<unknown>) =>
      env.db.transaction().execute(async (tx) => {
        await setPortalClock(tx, at(minutes))
        await change(tx)
        await setPortalClock(tx, { ahead: 0 })
      })
    const input = (tx: Tx) => upsertInput(tx, [machine])
    const busy = (minutes: number) => (tx: Tx) =>
      upsertActivity(tx, JSON.stringify([{ id: machine, percent: 90, cpuAt: at(minutes), busyAt: at(minutes) }]))
    await ago(30, input)
    await ago(8, input)
    await ago(5, input)
    await ago(4, (tx) => upsertPresence(tx, machine, acme))
    // A measurement arrives late.
    await ago(3, busy(7))
    await ago(2, input)
    const minuteCounts = (await seatOf(learners[2]!)).activeMinutes
    // The clock may have advanced by a minute.
    const late = minuteCounts[0] === 2 ? 0 : 1
    expect(minuteCounts.map((minute) => minute - late)).toEqual([2, 4, 5, 7, 8])
  })
})

describe('stop all', () => {
  test('must be requested explicitly, and can be undone', async () => {
    await running()
    expect((await admin('POST', '/azure/class/power', { ...inClass, operation: 0 })).status).toBe(400)
    const stopped = await teacher('POST', '/azure/class/power', { ...inClass, operation: 0, all: true })
    expect(stopped.body).toMatchObject({ message: CLASS.stoppedAll(3), machines: 3 })
    // The class has ended, and with it the wait for help. Other classes continue.
    const { hands } = (await admin('GET', '/azure/class/hands')).body as { hands: { trainingName: string }[] }
    expect(hands.map(({ trainingName }) => trainingName)).toEqual(['Other'])
    expect((await view()).seats.map(({ machine }) => machine.status)).toEqual(['Stopping', 'Stopping', 'Stopping'])
    expect((await teacher('PATCH', '/azure/machinesUndo', stopped.body.undoable)).status).toBe(200)
    await running()
    expect((await admin('GET', '/azure/machines?trainingName=Other')).body[0].status).not.toBe('Stopping')
  })

  test('stops all machines and reports when none runs', async () => {
    await admin('POST', '/azure/class/power', { ...inClass, operation: 0, all: true })
    const again = await admin('POST', '/azure/class/power', { ...inClass, operation: 0, all: true })
    expect(again.body).toEqual({ message: CLASS.noneToStop, machines: 0, undoable: [] })
  })
})
