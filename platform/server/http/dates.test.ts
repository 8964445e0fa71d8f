import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { createSubjects, PEOPLE } from '../../test/world.ts'
import { sharedPortal } from '../../test/shared.ts'

const portal = await sharedPortal()
const { own } = await createSubjects(portal)
const uid = await portal.sessionOf(PEOPLE.superadmin)

const training = { trainingName: own.trainingName, organization: own.organization }
const instantAt = (date: string) => ({ date, time: '09:30' })
const entry = (date: string, id = 'D-1') => ({ organization: own.organization, id, amount: 5, date, type: 'payment' })

/** Requests with a date. `at` is the same date as a timestamp. */
const REQUESTS: Readonly<Record<string, (date: string, at: string) => [method: string, path: string, input: object]>> =
  {
    'the audit from a time': (_, from) => ['GET', '/admin/audit', { from }],
    'the audit until a time': (_, until) => ['GET', '/admin/audit', { until }],
    'the audit before a cursor': (date) => ['GET', '/admin/audit', { before: `${date}T00:00:00.000000Z.1` }],
    'an export of the audit': (_, from) => ['POST', '/admin/audit/export', { format: 'csv', from }],
    'the ledger before a cursor': (date) => [
      'GET',
      '/admin/ledger/accounts',
      { organization: own.organization, before: `${date}.1` },
    ],
    'a ledger entry': (date) => ['POST', '/admin/ledger/addTransaction', entry(date)],
    'an export of the books': (date) => [
      'POST',
      '/admin/ledger/export',
      { books: 'tally', what: 'payments', from: date, to: date },
    ],
    'a schedule': (date) => [
      'POST',
      '/azure/schedules',
      {
        ...training,
        data: {
          schedules: [{ ...instantAt(date), action: 'Start' }],
          restrictLogin: { restrictUserLogin: false, userAccessOnTime: null, userAccessOffTime: null },
        },
      },
    ],
    'a ready time': (date) => ['POST', '/azure/readyBy', { ...training, ...instantAt(date) }],
    'the end of a ready time': (date) => ['DELETE', '/azure/readyBy', { ...training, ...instantAt(date) }],
    'the supplier’s first vouchers': (date) => ['PATCH', '/admin/supplier', { vouchersFrom: date }],
    'a tax rate': (date) => ['PATCH', '/admin/supplier', { rates: [{ from: date, basisPoints: 1800 }] }],
  }

const send = (method: string, path: string, input: object) =>
  portal.request(method, path, { uid, [method === 'POST' || method === 'PATCH' ? 'body' : 'query']: input })

describe.each(Object.entries(REQUESTS))('a request for %s', (_, requestOf) => {
  test.each(['0000-01-01', '0000-12-31', '0001-01-01', '9999-12-31'])('answers 400 to %s', async (date) => {
    const [method, path, input] = requestOf(date, `${date}T00:00:00Z`)
    const reply = await send(method, path, input)
    expect([reply.status, await reply.json()]).toMatchObject([400, { code: 'malformed' }])
  })

  test('accepts a date that is in range', async () => {
    const [method, path, input] = requestOf('2027-02-28', '2027-02-28T00:00:00.000Z')
    expect((await send(method, path, input)).status).not.toBe(400)
  })
})

test.each(['22007', '22008', '22003', '22P02', '54000'])(
  'a value that the database rejects with %s answers 400',
  async (code) => {
    await sql
      .raw(
        `create or replace function reject_value() returns trigger language plpgsql as
         $$ begin raise exception 'rejected by the test' using errcode = '${code}'; end $$;
       drop trigger if exists reject_value on ledger_entry;
       create trigger reject_value before insert on ledger_entry for each row execute function reject_value()`,
      )
      .execute(portal.owner)
    const reply = await send('POST', '/admin/ledger/addTransaction', entry('2026-01-31', code))
    expect([reply.status, await reply.json()]).toMatchObject([
      400,
      { code: 'malformed', message: 'A value of the request is out of range. Correct it and try again.' },
    ])
  },
)
