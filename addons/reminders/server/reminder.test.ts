import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { OrganisationId } from '@trainyard/platform/contract/words/ids.ts'
import { paise } from '@trainyard/platform/contract/words/money.ts'
import type { Caller } from '@trainyard/platform/test/caller.ts'
import { sharedEnvironment } from '@trainyard/platform/test/shared.ts'
import { supplierToday } from '@trainyard/usage/server/months.ts'
import { addEntry, type NewEntry } from '@trainyard/ledger/server/entries.ts'
import type { Email } from '@trainyard/platform/server/mail/mail.ts'
import { mailReminder } from './mail.ts'
import { sendDueReminders } from './remind.ts'

const env = await sharedEnvironment()
const { db } = env.portal.app
const NAME = 'Reminded Academy'
let organisation: OrganisationId
let root: Caller
let admin: Caller
let before: object

const enqueued: string[] = []
const jobs = {
  async enqueue(_tx: unknown, _name: string, data: readonly object[]) {
    enqueued.push(...data.map((each) => (each as { reminder: string }).reminder))
  },
}
const sent: Email[] = []
const mail = mailReminder({
  db,
  mail: { send: async (email: Email) => void sent.push(email) },
  publicUrl: 'https://portal.test',
})

const daysAgo = async (days: number): Promise<string> => {
  const { rows } = await sql<{ day: string }>`
    select to_char(${await supplierToday(db)}::date - ${days}::int, 'YYYY-MM-DD') as day`.execute(db)
  return rows[0]!.day
}

const enter = async (kind: 'invoice' | 'payment', reference: string, days: number, amount: number) =>
  db.transaction().execute(async (tx) =>
    addEntry(tx, {
      organisation,
      kind,
      reference,
      particular: reference,
      date: await daysAgo(days),
      amount: paise(amount),
      source: 'manual',
      by: 'test',
    } satisfies NewEntry),
  )

/** Runs the task, mails the reminders of this organisation and returns the subjects. */
async function remind(): Promise<string[]> {
  enqueued.length = 0
  sent.length = 0
  await sendDueReminders(db, jobs as never)
  const mine = await db
    .selectFrom('invoice_reminder')
    .select('id')
    .where('organisation_id', '=', organisation)
    .where('id', 'in', ['00000000-0000-4000-8000-000000000000', ...enqueued] as never[])
    .execute()
  for (const { id } of mine) await mail({ reminder: id }, new AbortController().signal)
  return sent.map(({ subject }) => subject)
}

const list = async (ask: Caller) =>
  (await ask('GET', `/admin/ledger/reminders?${new URLSearchParams({ organization: NAME })}`)).body

beforeAll(async () => {
  organisation = await env.organisation(NAME)
  root = await env.signIn('superadmin', 'reminder-root@portal.test', null)
  admin = await env.signIn('admin', 'reminded@own.test', organisation)
  const { reminders, paymentDays, reminderDays } = (await root('GET', '/admin/supplier')).body
  before = { reminders, paymentDays, reminderDays }
  await enter('invoice', 'OLD', 40, 100_00)
  await enter('invoice', 'DUE', 19, 200_00)
  await enter('invoice', 'NEW', 10, 300_00)
})

afterAll(async () => {
  await root('PATCH', '/admin/supplier', before)
})

test('sends nothing while reminders are off, and lists the open invoices', async () => {
  expect(await remind()).toEqual([])
  const { open, sent: reminded, reminders } = await list(admin)
  expect([reminders, reminded]).toEqual(['off', []])
  expect(open).toMatchObject([
    { invoice: 'OLD', openPaise: 100_00, nextOn: null },
    { invoice: 'DUE', openPaise: 200_00, nextOn: null },
    { invoice: 'NEW', openPaise: 300_00, nextOn: null },
  ])
})

test('sends one reminder per step of an overdue invoice until it is paid', async () => {
  const saved = await root('PATCH', '/admin/supplier', { reminders: 'on', paymentDays: 15, reminderDays: [3, 10, 20] })
  expect(saved.status).toBe(200)
  // The first two invoices were due 25 and 4 days ago. The third invoice is not due yet.
  const subjects = await remind()
  expect(subjects.map((subject) => subject.split(' was ')[0])).toEqual([
    'Reminder: invoice OLD',
    'Reminder: invoice DUE',
  ])
  expect(sent[0]).toMatchObject({ to: 'reminded@own.test' })
  expect(sent[0]?.text).toContain('₹100.00 of invoice OLD for Reminded Academy')
  expect(await remind()).toEqual([])
  const { open, sent: reminded } = await list(root)
  expect(reminded).toMatchObject([
    { invoice: 'DUE', afterDays: 3, openPaise: 200_00, to: ['reminded@own.test'] },
    { invoice: 'OLD', afterDays: 20, openPaise: 100_00, to: ['reminded@own.test'] },
  ])
  expect(open).toMatchObject([{ nextOn: null }, { nextOn: await daysAgo(-6) }, { nextOn: await daysAgo(-8) }])
  const { rows } =
    await sql`select detail from audit where call = 'reminder.send' and organisation_id = ${organisation}`.execute(db)
  expect(rows).toHaveLength(2)
})

test('settles the oldest invoice first, and sends no reminder of an invoice settled in the meantime', async () => {
  await root('PATCH', '/admin/supplier', { reminderDays: [1, 4, 20] })
  enqueued.length = 0
  await sendDueReminders(db, jobs as never)
  const waiting = await db
    .selectFrom('invoice_reminder')
    .select(['id', 'invoice', 'after_days'])
    .where('organisation_id', '=', organisation)
    .where('ended_at', 'is', null)
    .execute()
  expect(waiting).toMatchObject([{ invoice: 'DUE', after_days: 4 }])
  expect((await list(root)).sent[0]).toMatchObject({ invoice: 'DUE', to: null })
  await enter('payment', 'NEFT', 0, 350_00)
  sent.length = 0
  await mail({ reminder: waiting[0]!.id }, new AbortController().signal)
  expect(sent).toEqual([])
  const { open, sent: reminded } = await list(root)
  expect(reminded[0]).toMatchObject({ invoice: 'DUE', to: [] })
  expect(open).toMatchObject([{ invoice: 'NEW', openPaise: 250_00 }])
})
