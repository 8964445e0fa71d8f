import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { ReplyOf } from '@trainyard/platform/contract/call.ts'
import type { home } from '@trainyard/home/contract/home.ts'
import type { nextClass as calls } from '@trainyard/class-sessions/contract/next-class.ts'
import type { Caller } from '@trainyard/platform/test/caller.ts'
import { machinesOf, order, people } from '@trainyard/platform/test/orders.ts'
import { sharedEnvironment } from '@trainyard/platform/test/shared.ts'
import { until } from '@trainyard/platform/test/until.ts'

const env = await sharedEnvironment()
const acme = await env.organisation('Acme Learning')
const admin = await env.signIn('admin', 'admin@acme.test', acme)
const learner = await env.signIn('user', 'learner0@acme.test', acme)
const other = await env.signIn('user', 'learner1@acme.test', acme)

const TRAINING = 'Monday class'
/** Tomorrow at 09:00 in the organisation's zone. */
const { rows } = await sql<{ date: string; at: Date }>`
  select to_char(day, 'YYYY-MM-DD') as date, (day + time '09:00') at time zone 'Asia/Kolkata' as at
  from (select (portal_now() at time zone 'Asia/Kolkata')::date + 1 as day) as tomorrow`.execute(env.db)
const { date, at } = rows[0]!

const nextClass = async () => {
  const { body } = await admin('GET', '/admin/home/class?organization=Acme%20Learning')
  return (body as ReplyOf<typeof calls.nextClass>).nextClass
}
const problems = async () => (await nextClass())!.checks.filter(({ problem }) => problem !== null)
const startOwn = async (caller: Caller) => {
  const [machine] = await machinesOf(caller, TRAINING)
  const { status, body } = await caller('PATCH', '/azure/machines', [
    { operation: 1 },
    { name: machine!.name, resourceGroup: machine!.resourceGroup },
  ])
  return [status, body.message]
}

test('returns null without a ready time, otherwise its time, seats and passed checks', async () => {
  expect(await nextClass()).toBeNull()
  const emails = people(3)
  await admin('POST', '/azure/machines', order(TRAINING, emails, { readyBy: { date, time: '09:00' } }))
  const found = await nextClass()
  expect(found).toMatchObject({ training: TRAINING, date, time: '09:00', started: false, seats: 3, ready: 0 })
  expect(found!.readyAt).toBe(at.toISOString())
  expect(await problems()).toEqual([])
})

test('counts planned machines in the list of trainings, and shows the ready time instead of the Start', async () => {
  const line = async () => {
    const { body } = await admin('GET', '/admin/home?organization=Acme%20Learning')
    return (body as ReplyOf<typeof home.trainings>).trainings[0]
  }
  const ready = { date, time: '09:00', action: 'Ready' }
  expect(await line()).toMatchObject({ training: TRAINING, running: 0, stopped: 3, planned: 3, next: ready })
  await sql`insert into schedule (training_id, organisation_id, action, date, time, time_zone, fires_at, created_by)
    select id, organisation_id, 'Start', ${date}, '09:00', 'Asia/Kolkata', ${at}, 'admin' from training`.execute(env.db)
  expect((await line())!.next).toEqual(ready)
  await sql`update schedule set fires_at = ${at}::timestamptz - interval '1 hour'`.execute(env.db)
  expect((await line())!.next).toEqual({ date, time: '08:00', action: 'Start' })
  await sql`update schedule set removed_at = portal_now()`.execute(env.db)
})

test('names each check that fails', async () => {
  await sql`update invitation set revoked_at = portal_now()`.execute(env.db)
  await sql`insert into cloud_place (provider, location, looked_at) select distinct provider, location, portal_now() from machine`.execute(
    env.db,
  )
  expect((await problems()).map(({ check }) => check)).toEqual(['capacity', 'invitations'])
  await sql`insert into cloud_size (provider, location, size, family, cores)
    select distinct provider, location, size_name, 'dsv2', 1 from machine`.execute(env.db)
  await sql`insert into cloud_limit (provider, location, family, used, allowed)
    select distinct provider, location, 'cores', 8, 10 from machine`.execute(env.db)
  expect((await problems())[0]!.problem).toMatch(/^The cloud has no room for Standard_DS1_v2 in southindia\./)
  await sql`update cloud_limit set allowed = 11`.execute(env.db)
  await sql`update invitation set revoked_at = null`.execute(env.db)
  expect(await problems()).toEqual([])
})

test('makes a learner wait for the planned time until the class allows an earlier start', async () => {
  const [own] = await machinesOf(learner, TRAINING)
  expect(own).toMatchObject({ status: 'Planned', readyAt: at.toISOString(), earlyStart: false })
  expect(own!.statusReason).toMatch(/^Ready \w{3} \d{1,2} \w{3,4} 09:00$/)
  expect((await machinesOf(admin, TRAINING)).map(({ earlyStart }) => earlyStart)).toEqual([true, true, true])
  const refused = [
    409,
    `${own!.name} starts automatically in time for the class. Your instructor can allow an earlier start.`,
  ]
  expect(await startOwn(learner)).toEqual(refused)
  const allow = (allowed: boolean) => admin('POST', '/azure/class/early', { trainingName: TRAINING, allowed })
  expect((await allow(true)).status).toBe(200)
  expect((await machinesOf(learner, TRAINING))[0]!.earlyStart).toBe(true)
  expect((await startOwn(learner))[0]).toBe(200)
  expect((await machinesOf(learner, TRAINING))[0]).toMatchObject({ readyAt: null })
  await allow(false)
  expect((await startOwn(other))[0]).toBe(409)
  await admin('DELETE', `/azure/readyBy?trainingName=Monday%20class&date=${date}&time=09:00`)
  expect((await startOwn(other))[0]).toBe(200)
})

test('names an invitation that the mail server rejected, until its address is corrected', async () => {
  const [wrong, right] = ['ashaa@acme.test', 'asha@acme.test']
  const check = async () => (await nextClass())!.checks.find((each) => each.check === 'invitations')!.problem
  await env.emulator.fault({
    kind: 'rejectRecipient',
    operation: 'Mail_Recipient',
    name: wrong,
    message: '5.1.1 No such user.',
  })
  await env.worker()
  await admin('POST', '/azure/machines', order('Tuesday class', [wrong], { readyBy: { date, time: '08:00' } }))
  const rejected = `The mail server rejected the invitation for ${wrong}. See People in Organisation Settings.`
  await until('the bounce is shown', check, (problem) => problem === rejected)
  expect((await admin('POST', '/admin/people/invitation', { email: wrong, newEmail: right })).status).toBe(200)
  await until('the invitation is mailed', check, (problem) => problem === null)
})
