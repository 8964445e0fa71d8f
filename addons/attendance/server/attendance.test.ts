import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { AttendanceReport } from '../contract/attendance.ts'
import { setPortalClock } from '@trainyard/platform/test/clock.ts'
import { order } from '@trainyard/platform/test/orders.ts'
import { sharedEnvironment } from '@trainyard/platform/test/shared.ts'
import { recordRemoteSessionInput } from '@trainyard/remote-access/server/input.ts'
import { updateRunSums } from '@trainyard/platform/test/run-sums.ts'

const env = await sharedEnvironment()
const acme = await env.organisation('Acme Learning')
const admin = await env.signIn('admin', 'admin@acme.test', acme)
const learner = await env.signIn('user', 'asha@acme.test', acme)
const foreignAdmin = await env.signIn('admin', 'admin@globex.test', await env.organisation('Globex Academy'))
await sql`update organisation set time_zone = 'Asia/Kolkata' where id = ${acme}`.execute(env.db)
const TRAINING = 'Presence'
await admin('POST', '/azure/machines', order(TRAINING, ['asha@acme.test', 'ravi@acme.test']))

const connect = async (email: string, machineOf: string, from: string, until: string | null) => {
  const { rows } = await sql<{ id: string }>`
    insert into remote_session (session_hash, email, machine_id, organisation_id, opened_at, seen_at, closed_at, ended)
    select '', ${email}, id, organisation_id, ${from}, ${until ?? from}, ${until}, ${until && 'Closed.'}
    from machine where email = ${machineOf} returning id`.execute(env.db)
  return rows[0]!.id
}
const SPAN = { from: '2026-03-02', until: '2026-03-04' }
const report = async (as = admin, span = SPAN): Promise<AttendanceReport> =>
  (await as('GET', `/azure/attendance?${new URLSearchParams({ trainingName: TRAINING, ...span }).toString()}`)).body
const file = async (format: 'csv' | 'pdf', email = 'admin@acme.test') => {
  const { token, url } = await env.credentials(email)
  const reply = await fetch(`${url}/azure/attendance/${format}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ trainingName: TRAINING, ...SPAN }),
  })
  return { status: reply.status, body: Buffer.from(await reply.arrayBuffer()).toString() }
}

test('reports the same attendance as the records of connections, inputs and runs', async () => {
  await sql`update portal_user set name = 'Rao, Asha' where email = 'asha@acme.test'`.execute(env.db)
  // A terminal and a desktop at the same time count once. One connection spans midnight in India (18:30 UTC).
  const first = await connect('asha@acme.test', 'asha@acme.test', '2026-03-02T03:30Z', '2026-03-02T04:30Z')
  await connect('asha@acme.test', 'asha@acme.test', '2026-03-02T04:00Z', '2026-03-02T05:00Z')
  await connect('asha@acme.test', 'asha@acme.test', '2026-03-02T18:00Z', '2026-03-02T19:00Z')
  // An admin who opens a learner's machine is not counted as present. A learner of another day is listed as absent.
  await connect('admin@acme.test', 'asha@acme.test', '2026-03-02T06:00Z', '2026-03-02T07:00Z')
  await connect('ravi@acme.test', 'ravi@acme.test', '2026-03-05T06:00Z', '2026-03-05T07:00Z')
  await sql`insert into run (machine_id, organisation_id, started_at, stopped_at, paise_per_hour)
    select id, organisation_id, '2026-03-02T03:00Z', '2026-03-02T20:00Z', paise_per_hour from machine
    where email = 'asha@acme.test'`.execute(env.db)
  await updateRunSums(env.db)
  // Inputs every minute for ten minutes, then a pause that ends the period of activity, then another input.
  for (const minute of [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 30]) {
    await setPortalClock(env.db, new Date(Date.parse('2026-03-02T03:40Z') + minute * 60_000))
    await recordRemoteSessionInput(env.db, [first])
  }
  await setPortalClock(env.db, { ahead: 0 })
  const { rows: periods } = await sql<{ minutes: number }>`
    select (extract(epoch from ended_at - began_at) / 60)::int as minutes from remote_input order by began_at`.execute(
    env.db,
  )
  expect(periods).toEqual([{ minutes: 10 }, { minutes: 0 }])
  const { learners, timeZone } = await report()
  expect(timeZone).toBe('Asia/Kolkata')
  expect(learners).toEqual([
    {
      email: 'asha@acme.test',
      learnerName: 'Rao, Asha',
      connected: 150,
      active: 12,
      machine: 17 * 60,
      firstSeen: '2026-03-02T03:30:00.000Z',
      lastSeen: '2026-03-02T19:00:00.000Z',
      days: [
        {
          date: '2026-03-02',
          connected: 120,
          active: 12,
          machine: 15.5 * 60,
          firstSeen: '2026-03-02T03:30:00.000Z',
          lastSeen: '2026-03-02T18:30:00.000Z',
        },
        {
          date: '2026-03-03',
          connected: 30,
          active: 0,
          machine: 90,
          firstSeen: '2026-03-02T18:30:00.000Z',
          lastSeen: '2026-03-02T19:00:00.000Z',
        },
      ],
    },
    {
      email: 'ravi@acme.test',
      learnerName: null,
      connected: 0,
      active: 0,
      machine: 0,
      firstSeen: null,
      lastSeen: null,
      days: [],
    },
  ])
  const csv = await file('csv')
  expect(csv.body).toBe(
    [
      '\uFEFFLearner,E-mail,Date,First seen,Last seen,Connected minutes,Active minutes,Machine minutes',
      'Asha Rao,asha@acme.test,2026-03-02,09:00,00:00,120,12,930',
      'Asha Rao,asha@acme.test,2026-03-03,00:00,00:30,30,0,90',
      '',
    ].join('\r\n'),
  )
  const pdf = await file('pdf')
  expect([pdf.status, pdf.body.slice(0, 5)]).toEqual([200, '%PDF-'])
})

test('refuses attendance to learners and other organisations, and limits the number of days', async () => {
  for (const format of ['csv', 'pdf'] as const) {
    expect([(await file(format, 'asha@acme.test')).status, (await file(format, 'admin@globex.test')).status]).toEqual([
      403, 404,
    ])
  }
  const status = async (span: typeof SPAN, as = admin) =>
    (await as('GET', `/azure/attendance?${new URLSearchParams({ trainingName: TRAINING, ...span }).toString()}`)).status
  expect([await status(SPAN, learner), await status(SPAN, foreignAdmin)]).toEqual([403, 404])
  expect([
    await status({ from: '2026-03-04', until: '2026-03-02' }),
    await status({ from: '2026-01-01', until: '2026-04-03' }),
    await status({ from: '2026-01-01', until: '2026-04-02' }),
  ]).toEqual([400, 400, 200])
})
