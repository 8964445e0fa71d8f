import { sql, type UpdateObject } from 'kysely'
import { expect, test } from 'vitest'
import { createSubjects } from '@trainyard/platform/test/world.ts'
import type { Schema } from '@trainyard/platform/server/db/schema.ts'
import type { Clouds } from '@trainyard/templates/server/cloud.ts'
import { scriptedCloud } from '@trainyard/platform/test/scripted-cloud.ts'
import { pinFirstKeys } from './first-keys.ts'
import { sharedPortal } from '@trainyard/platform/test/shared.ts'

type Row = UpdateObject<Schema, 'machine', 'machine'>

const portal = await sharedPortal()
const subjects = await createSubjects(portal)
const { name } = subjects.own.machine
await portal.owner.updateTable('machine').set({ guacamole: false }).where('name', '!=', name).execute()

const KEY = Buffer.from('a host key')
const FRESH = {
  host_key: null,
  guacamole: true,
  os: 'Linux',
  terminated_at: null,
  first_seen_at: sql<Date>`portal_now() - interval '59 minutes'`,
  observed: 'running',
  public_ip: '10.0.0.1',
} as const

/** Sets the machine's row and runs the task. Returns the addresses to which the task connected, and the pinned key. */
async function pin(row: Row, keyOf = async () => KEY, clouds: Clouds = {}): Promise<[string[], Buffer | null]> {
  const requests: string[] = []
  await portal.owner
    .updateTable('machine')
    .set({ ...FRESH, ...row })
    .where('name', '=', name)
    .execute()
  const shells = {
    getHostKey: ({ address }: { readonly address: string }) => {
      requests.push(address)
      return keyOf()
    },
  }
  await pinFirstKeys(portal.app.db, shells, clouds, new AbortController().signal)
  const { host_key } = await portal.owner
    .selectFrom('machine')
    .select('host_key')
    .where('name', '=', name)
    .executeTakeFirstOrThrow()
  return [requests, host_key]
}

test('pins the key of a machine that runs for the first time', async () => {
  expect(await pin({})).toEqual([['10.0.0.1'], KEY])
})

test('pins the key that the provider reads, and connects to no machine of that provider', async () => {
  const read: unknown[] = []
  const keys = [null, KEY]
  const azure = {
    ...scriptedCloud(new Date()),
    readHostKey: async (at: unknown) => {
      read.push(at)
      return keys.shift()!
    },
  }
  const offered = async () => Buffer.from('the key of somebody between')
  expect(await pin({}, offered, { azure })).toEqual([[], null])
  expect(await pin({}, offered, { azure })).toEqual([[], KEY])
  const { place_group } = await portal.owner
    .selectFrom('machine')
    .select('place_group')
    .where('name', '=', name)
    .executeTakeFirstOrThrow()
  expect(read).toEqual([1, 2].map(() => ({ name, place: { group: place_group } })))
})

test('retries a machine that does not answer yet in the next run', async () => {
  expect(await pin({}, () => Promise.reject(new Error('it is booting')))).toEqual([['10.0.0.1'], null])
  expect(await pin({})).toEqual([['10.0.0.1'], KEY])
})

test.each<[string, Row]>([
  ['is not for the terminal', { guacamole: false }],
  ['runs Windows', { os: 'Windows' }],
  ['was first seen an hour ago', { first_seen_at: sql<Date>`portal_now() - interval '1 hour'` }],
  ['is stopped', { observed: 'stopped' }],
  ['has no address yet', { public_ip: null }],
])('a machine that %s is skipped', async (_how, row) => {
  expect(await pin(row)).toEqual([[], null])
})

test('skips a machine with a pinned key', async () => {
  const pinned = Buffer.from('another')
  expect(await pin({ host_key: pinned })).toEqual([[], pinned])
})

test('pins the key of a machine although many machines of another organisation do not answer', async () => {
  const other = subjects.foreign.machine.name
  await portal.owner
    .updateTable('machine')
    .set({ ...FRESH, public_ip: '10.0.0.2' })
    .where('name', '=', other)
    .execute()
  const { rows } = await sql<{ columns: string }>`
    select string_agg(quote_ident(column_name), ', ') as columns from information_schema.columns
    where table_name = 'machine' and is_generated = 'NEVER' and is_identity = 'NO'
      and column_name not in ('id', 'number', 'name', 'email', 'ordered_for', 'first_seen_at')`.execute(portal.owner)
  const columns = sql.raw(rows[0]!.columns)
  await sql`
    insert into machine (name, email, ordered_for, first_seen_at, ${columns})
    select name || i, i || email, i || email, portal_now() - interval '59.5 minutes', ${columns}
    from machine, generate_series(1, 40) i where name = ${other}`.execute(portal.owner)
  const [requests, key] = await pin({})
  expect([requests.length, requests.includes('10.0.0.1'), key]).toEqual([20, true, KEY])
})
