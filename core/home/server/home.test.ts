import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { type Paise, paise } from '@trainyard/platform/contract/words/money.ts'
import type { Role } from '@trainyard/platform/contract/words/role.ts'
import { createSubjects, PEOPLE } from '@trainyard/platform/test/world.ts'
import { setPortalClock } from '@trainyard/platform/test/clock.ts'
import { addEntry } from '@trainyard/ledger/server/entries.ts'
import { storeDayTotals } from './day-totals.ts'
import { addMachine, type Place } from '@trainyard/usage/server/test-runs.ts'
import { sharedPortal } from '@trainyard/platform/test/shared.ts'
import { updateRunSums } from '@trainyard/platform/test/run-sums.ts'

const DAY_MS = 86_400_000
const KOLKATA_MS = 5.5 * 3_600_000

const portal = await sharedPortal()
const world = await createSubjects(portal)

async function read(role: Role, path: string, query?: object): Promise<Record<string, unknown>> {
  const reply = await portal.request('GET', path, { query, uid: await portal.sessionOf(PEOPLE[role]) })
  expect(reply.status).toBe(200)
  return (await reply.json()) as Record<string, unknown>
}

const owner = (statement: ReturnType<typeof sql>) => statement.execute(portal.owner)
const idOf = (organization: string) => sql`(select id from organisation where name = ${organization})`
/**
 * Sets the portal's clock relative to the start of the machines' runs, so that the speed of the test machine has no
 * effect.
 */
async function setClockAfterStart(time: string): Promise<void> {
  const { rows } = await sql<{ at: Date }>`select max(started_at) + ${time}::interval as at from run`.execute(
    portal.owner,
  )
  await setPortalClock(portal.owner, rows[0]!.at)
}
const entry = (organization: string, kind: 'invoice' | 'payment', reference: string, amount: Paise) =>
  portal.app.db.transaction().execute(async (tx) => {
    const { id } = await tx
      .selectFrom('organisation')
      .select('id')
      .where('name', '=', organization)
      .executeTakeFirstOrThrow()
    await addEntry(tx, {
      organisation: id,
      kind,
      reference,
      particular: 'Lab',
      amount,
      date: '2026-01-31',
      source: 'manual',
      by: 'somebody',
    })
  })

const balanceOf = async (organization: string) =>
  (await read('superadmin', '/admin/home', { organization }))['balancePaise'] as number

test('counts live resources only', async () => {
  const { rows } = await sql<Record<string, number>>`
    select (select count(*) from portal_user) as users, (select count(*) from sandbox) as sandboxes,
      (select count(*) from aws_user) as aws, (select count(*) from ledger_balance where invoice_paise > payment_paise)
      as owing`.execute(portal.owner)
  const { users, sandboxes, aws, owing } = rows[0]!
  expect(Math.min(users!, sandboxes!, aws!)).toBeGreaterThan(0)
  const before = {
    organization: 2,
    users,
    azureTraining: 2,
    gcpTraining: 0,
    templates: 2,
    virtualMachines: 2,
    invoicePending: owing,
    azureQuotaExceeded: 0,
    projects: 0,
    gcpQuotaExceeded: 0,
    azureSandbox: sandboxes,
    awsSandbox: aws,
  }
  expect(await read('superadmin', '/admin/dashboard')).toEqual(before)

  // Both machines run and have an allotment of one hour. Afterwards one organisation owes money, and the other does
  // not.
  await setClockAfterStart('1 hour 1 second')
  for (const [{ organization }, owes] of [
    [world.own, 100_050],
    [world.foreign, 0],
  ] as const) {
    const missingPaise = owes - (await balanceOf(organization))
    await entry(organization, 'invoice', 'INV-100', paise(missingPaise + 1_000_000))
    await entry(organization, 'payment', 'PAY-100', paise(1_000_000))
  }
  await owner(sql`update aws_user set desired = 'gone', ended_at = portal_now(), account_id = null,
    first_password = null, reconcile_at = null, leased_until = null`)
  expect(await read('superadmin', '/admin/dashboard')).toEqual({
    ...before,
    invoicePending: 1,
    azureQuotaExceeded: 2,
    awsSandbox: 0,
  })

  await owner(sql`update run set stopped_at = date_trunc('second', portal_now())
    where organisation_id = ${idOf(world.foreign.organization)}`)
  await updateRunSums(portal.owner)
  await owner(sql`update machine set desired = 'gone', observed = 'absent', terminated_at = portal_now(),
    admin_password = null, reconcile_at = null, last_error = null
    where organisation_id = ${idOf(world.foreign.organization)}`)
  expect(await read('superadmin', '/admin/dashboard')).toMatchObject({
    azureTraining: 1,
    virtualMachines: 1,
    azureQuotaExceeded: 1,
  })
})

test('lists items that need attention: the first rows and the total number', async () => {
  const { organization, trainingName: training, machine } = world.own
  const target = { organization, training, machine: machine.name }
  expect(await read('superadmin', '/admin/attention')).toEqual({
    failing: {
      count: 1,
      first: [
        {
          reason: 'own error',
          refused: false,
          machines: 1,
          first: [{ ...target, group: machine.resourceGroup }],
        },
      ],
    },
    quotaUsedUp: { count: 1, first: [{ ...target, reason: 'All allocated hours (1) are used.' }] },
    unpaid: { count: 1, first: [{ organization, balancePaise: 100_050 }] },
    uncredited: { count: 0, first: [] },
    orphans: { count: 0, first: [] },
    tasks: { count: 0, first: [] },
    update: null,
  })
  // A second machine, of another customer, that fails for the same reason adds no row.
  const { rows: places } = await sql<Place>`select id, organisation_id as organisation from training
    where organisation_id = ${idOf(world.foreign.organization)}`.execute(portal.owner)
  await addMachine(portal.owner, places[0]!, 'same-reason', 1, [])
  await owner(sql`update machine set last_error = 'own error' where name = 'same-reason'`)
  const { failing } = await read('superadmin', '/admin/attention')
  expect(failing).toMatchObject({
    count: 2,
    first: [{ reason: 'own error', machines: 2, first: [{ machine: machine.name }, { machine: 'same-reason' }] }],
  })
  await owner(sql`delete from machine where name = 'same-reason'`)
  await owner(sql`update payment set last_error = 'pay_1 is 1 USD.' where order_id = ${world.own.paid.order_id}`)
  expect(await read('superadmin', '/admin/attention')).toMatchObject({
    uncredited: { count: 1, first: [{ organization, order: world.own.paid.order_id, reason: 'pay_1 is 1 USD.' }] },
  })
  await owner(sql`insert into task (name, every, attempts, last_error, started_at) values
    ('back up the database', 600, 1, 'the disk is full', '2026-01-01T10:00:00Z'), ('look often', 10, 2, 'No.', null)`)
  expect(await read('superadmin', '/admin/attention')).toMatchObject({
    tasks: {
      count: 1,
      first: [{ name: 'back up the database', reason: 'the disk is full', since: '2026-01-01T10:00:00.000Z' }],
    },
  })
  await owner(sql`delete from task where name in ('back up the database', 'look often')`)
  await owner(sql`insert into orphan (provider, place_group, name, tag, first_seen_at, last_seen_at)
    select 'azure', 'labs', 'orphan-' || n, null, timestamptz '2026-01-01T10:00:00Z' + n * interval '1 hour', portal_now()
    from generate_series(1, 7) n`)
  await owner(sql`update orphan set gone_at = portal_now() where name = 'orphan-1'`)
  const { orphans } = await read('superadmin', '/admin/attention')
  expect(orphans).toMatchObject({ count: 6 })
  expect((orphans as { first: object[] }).first).toHaveLength(5)
  expect((orphans as { first: object[] }).first[0]).toEqual({
    group: 'labs',
    name: 'orphan-2',
    since: '2026-01-01T12:00:00.000Z',
  })
})

test('shows an admin their trainings: running, failing, usage, next schedule and balance', async () => {
  const { organization, trainingName: training } = world.own
  await owner(sql`insert into schedule
      (training_id, organisation_id, action, date, time, time_zone, fires_at, created_by, completed_at, removed_at)
    select t.id, t.organisation_id, s.action, (s.at at time zone 'UTC')::date, '00:00', 'UTC', s.at, 'admin',
      case s.state when 'done' then portal_now() end, case s.state when 'removed' then portal_now() end
    from training t, (values ('Start', timestamptz '2099-03-02T20:00:00Z', 'pending'),
      ('Stop', timestamptz '2099-03-01T20:00:00Z', 'pending'),
      ('Stop', timestamptz '2098-01-01T00:00:00Z', 'removed'),
      ('Start', timestamptz '2098-01-01T00:00:00Z', 'done')) as s (action, at, state)
    where t.name = ${training}`)
  const billing = await read('admin', '/azure/billing', { trainingName: training })
  const homeReply = await read('admin', '/admin/home', { organization })
  expect(homeReply).toEqual({
    timeZone: 'Asia/Kolkata',
    balancePaise: 100_050,
    trainings: [
      {
        training,
        running: 1,
        stopped: 0,
        planned: 0,
        failing: 1,
        runningOut: 1,
        consumed: expect.closeTo(60, 0),
        total: 60,
        amountPaise: expect.closeTo(Number(billing['Amount']) * 100, -2),
        // 20:00 UTC is the next day in India.
        next: { date: '2099-03-02', time: '01:30', action: 'Stop' },
      },
    ],
  })
  // Terminated machines count towards allotted and used minutes, as in Quota Assignment.
  await owner(sql`
    with old as (
      insert into machine (name, organisation_id, training_id, order_id, email, ordered_for, provider, place, size,
        image, os, licence, admin_username, guacamole, paise_per_hour, allotted_minutes, created_at, desired,
        observed, terminated_at, reconcile_at)
      select 'old-1', organisation_id, training_id, order_id, 'old@own.test', 'old@own.test', provider, place, size, image,
        os, licence, admin_username, guacamole, paise_per_hour, 45, timestamptz '2026-01-01 09:00Z', 'gone', 'absent',
        timestamptz '2026-01-01 11:00Z', null
      from machine where name = ${world.own.machine.name} returning id, organisation_id, paise_per_hour)
    insert into run (machine_id, organisation_id, started_at, stopped_at, paise_per_hour)
    select id, organisation_id, timestamptz '2026-01-01 10:00Z', timestamptz '2026-01-01 10:30Z', paise_per_hour from old`)
  await updateRunSums(portal.owner)
  const home = await read('admin', '/admin/home', { organization })
  const quota = await read('superadmin', '/admin/quota', { trainingName: training })
  const one = async (name: string) =>
    (await read('admin', '/admin/home', { organization, training: name }))['trainings']
  expect(await one(world.own.trainingName)).toHaveLength(1)
  expect(await one(world.foreign.trainingName)).toEqual([])
  const [whole] = home['trainings'] as { consumed: number; total: number }[]
  expect(whole).toMatchObject({ consumed: expect.closeTo(90, 0), total: 105 })
  expect(quota).toMatchObject({ consumed: expect.closeTo(whole!.consumed, 0), total: whole!.total })
  await owner(sql`update schedule set removed_at = portal_now() where completed_at is null and removed_at is null`)
  expect((await read('admin', '/admin/home', { organization }))['trainings']).toMatchObject([{ next: null }])
  // As in the sidebar, a training stays listed after its only machine is terminated.
  const { trainings } = await read('superadmin', '/admin/home', { organization: world.foreign.organization })
  expect(trainings).toMatchObject([{ training: world.foreign.trainingName, running: 0, stopped: 0, failing: 0 }])
})

const form = { email: ' Asha@Example.com ', phone: '+91 98450 12345', companyName: 'Asha Labs' }

test('logs the Contact Us form and rejects incomplete input', async () => {
  const logged = async () =>
    await portal.owner
      .selectFrom('audit')
      .select(['actor_email', 'detail'])
      .where('call', '=', 'home.contact')
      .execute()
  for (const [field, text] of [
    ['email', 'asha'],
    ['phone', 'call me'],
    ['companyName', ''],
  ] as const) {
    expect((await portal.request('POST', '/contact', { body: { ...form, [field]: text } })).status).toBe(400)
    const { [field]: _, ...incomplete } = form
    expect((await portal.request('POST', '/contact', { body: incomplete })).status).toBe(400)
  }
  expect(await logged()).toEqual([])
  const reply = await portal.request('POST', '/contact', { body: form })
  expect(await reply.json()).toEqual({ message: 'Thank you for contacting us.' })
  expect(await logged()).toEqual([
    { actor_email: null, detail: { query: {}, body: { ...form, email: 'asha@example.com' } } },
  ])
})

test('accepts internationalised domains, extensions and Devanagari digits in the Contact Us form', async () => {
  const entered = { email: 'asha@विद्यालय.भारत', phone: '+९१ ८० ४१२३ ४५६७ ext. १२', companyName: 'विद्यालय' }
  expect((await portal.request('POST', '/contact', { body: entered })).status).toBe(200)
  const [stored] = await portal.owner
    .selectFrom('audit')
    .select('detail')
    .where('call', '=', 'home.contact')
    .orderBy('id', 'desc')
    .limit(1)
    .execute()
  expect(stored!.detail).toMatchObject({
    body: { email: 'asha@xn--j2bsalm0de7i.xn--h2brj9c', phone: '+91 80 4123 4567 ext. 12', companyName: 'विद्यालय' },
  })
})

test('limits the rate of contact forms per address', async () => {
  const statuses: number[] = []
  for (let attempts = 0; attempts < 25 && !statuses.includes(429); attempts++) {
    statuses.push((await portal.request('POST', '/contact', { body: form })).status)
  }
  expect(statuses.at(-1)).toBe(429)
})

test('returns running machines with their cost and stores each completed day once', async () => {
  const { rows } = await sql<{ now: Date }>`select portal_now() as now`.execute(portal.owner)
  // Two completed runs of one machine. The first spans a midnight in Kolkata.
  const midnight = Math.floor((rows[0]!.now.getTime() + KOLKATA_MS) / DAY_MS) * DAY_MS - KOLKATA_MS - 10 * DAY_MS
  const at = (seconds: number) => new Date(midnight + seconds * 1000)
  for (const [from, to, price] of [
    [-3_600, 1_800, 1_001],
    [3_600, 3_607, 777],
  ] as const)
    await owner(sql`insert into run (organisation_id, machine_id, started_at, stopped_at, paise_per_hour)
      select organisation_id, id, ${at(from)}, ${at(to)}, ${price} from machine
      where organisation_id = ${idOf(world.own.organization)} order by number limit 1`)
  await updateRunSums(portal.owner)
  await storeDayTotals(portal.app.db)

  const usage = await read('superadmin', '/admin/usage')
  const days = usage['days'] as { date: string; machines: number; amountPaise: number }[]
  // In the first minutes of a day, the totals of the previous day do not exist yet.
  expect([29, 30]).toContain(days.length)
  const dayOf = (instant: Date) => new Date(instant.getTime() + KOLKATA_MS).toISOString().slice(0, 10)
  expect(days.filter(({ date }) => date === dayOf(at(-1)) || date === dayOf(at(0)))).toEqual([
    { date: dayOf(at(-1)), machines: 1, amountPaise: 1_001 },
    // 500.5 and 777 x 7 / 3600 paise.
    { date: dayOf(at(0)), machines: 1, amountPaise: 502 },
  ])

  const { rows: open } = await sql<{ price: number }>`
    select paise_per_hour as price from run where stopped_at is null`.execute(portal.owner)
  const trainings = usage['trainings'] as { running: number }[]
  expect(usage).toMatchObject({
    running: open.length,
    paisePerHour: open.reduce((sum, { price }) => sum + price, 0),
    runningTrainings: trainings.length,
  })
  expect(trainings.reduce((sum, { running }) => sum + running, 0)).toBe(open.length)
  expect(open.length).toBeGreaterThan(0)
  await owner(sql`delete from run where started_at >= ${at(-3_600)} and started_at <= ${at(3_600)}`)
  await updateRunSums(portal.owner)
  await storeDayTotals(portal.app.db)
  expect((await read('superadmin', '/admin/usage'))['days']).toEqual(days)
})
