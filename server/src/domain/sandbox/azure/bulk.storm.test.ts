import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { sharedPortal } from '#test/shared.ts'

/** A list of lab users as the browser sends it: one call a row, each with a key that follows from file and row. */

const LONG = process.env['STORM'] === 'long'
const ROWS = LONG ? 1_000 : 60
/** Every so many rows one is bad: a name with a space, an address without a domain, a name that is there already. */
const BAD_EVERY = LONG ? 33 : 20

const BAD = [
  { username: 'two words', personalEmail: 'a@home.test' },
  { username: 'nowhere', personalEmail: 'nowhere' },
  { username: 'learner-1', personalEmail: 'again@home.test' },
]
const isBad = (row: number) => row % BAD_EVERY === BAD_EVERY - 1
const list = Array.from({ length: ROWS }, (_, row) =>
  isBad(row)
    ? BAD[Math.floor(row / BAD_EVERY) % BAD.length]!
    : { username: `learner-${row}`, personalEmail: `learner-${row}@home.test` },
)
const good = list.filter((_, row) => !isBad(row)).length

let statuses: number[]

const portal = await sharedPortal()
await portal.app.db
  .insertInto('portal_user')
  .values({ email: 'root@portal.test', role: 'superadmin', organisation_id: null, password_hash: null })
  .execute()

async function send(row: number, uid: string, signal?: AbortSignal): Promise<number> {
  const reply = await portal.ask('POST', '/sandbox/user', {
    uid,
    body: { ...list[row], duration: 5 },
    headers: { 'idempotency-key': `list-of-june-${row}` },
    ...(signal === undefined ? {} : { signal }),
  })
  await reply.text()
  return reply.status
}

describe(`${ROWS} rows, killed half-way and sent again`, () => {
  test('the first run ends in the middle of a row, with its connection', async () => {
    const uid = await portal.sessionOf('root@portal.test')
    const half = Math.floor(ROWS / 2)
    for (let row = 0; row < half; row++) await send(row, uid)
    const dying = new AbortController()
    const inFlight = send(half, uid, dying.signal)
    setImmediate(() => dying.abort())
    await expect(inFlight).rejects.toThrow(/abort/i)
    portal.server.server.closeAllConnections()
  })

  test('the second makes what is missing: each good user once, with one email', async () => {
    const uid = await portal.sessionOf('root@portal.test')
    statuses = []
    for (let row = 0; row < ROWS; row++) statuses.push(await send(row, uid))
    const users = await portal.owner.selectFrom('azure_user').select('email').execute()
    expect(users).toHaveLength(good)
    expect(new Set(users.map(({ email }) => email)).size).toBe(good)
    const count = async (table: string) =>
      (await sql<{ n: number }>`select count(*)::integer as n from ${sql.table(table)}`.execute(portal.owner)).rows[0]!
        .n
    expect(await count('invitation')).toBe(good)
    expect(await count('pgboss.job')).toBe(good)
  })

  test('each bad row was told so', () => {
    const told = statuses.map((status, row) => [row, status] as const).filter(([row]) => isBad(row))
    expect(told.map(([, status]) => status).filter((status) => status !== 400 && status !== 409)).toEqual([])
    expect(statuses.filter((_, row) => !isBad(row)).filter((status) => status !== 200)).toEqual([])
  })
}, 300_000)
