import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import type { ReplyOf } from '@trainyard/platform/contract/call.ts'
import type { machine as machineCalls } from '@trainyard/machines/contract/machine.ts'
import type { remote } from '../contract/remote.ts'
import { REMOTE_MESSAGES } from '../contract/remote-words.ts'
import { openMessage } from '../test/terminal-page.ts'
import { sharedTerminals } from '../test/terminals.ts'
import { cleanUp } from '@trainyard/platform/server/run/clean-up.ts'

const at = await sharedTerminals()
const superadmin = await at.env.signIn('superadmin', 'super@portal.test', null)

const measured = async (): Promise<ReplyOf<typeof remote.openings>['measured']> =>
  (await superadmin('GET', '/admin/openings')).body.measured

async function opened(email: string): Promise<{ vmName: string; password: string }> {
  const { name: vmName } = await at.machineOf(email)
  const password = await at.ticketFor(email, vmName)
  const page = await at.pageOf(email)
  page.send(openMessage(vmName, password))
  await page.firstMessage('opened')
  return { vmName, password }
}

async function reportOpening(
  email: string,
  report: { vmName: string; password: string; milliseconds: number; kind?: string },
) {
  const response = await fetch(`${at.url}/remote/usable`, {
    method: 'POST',
    headers: { authorization: `Bearer ${at.tokens.get(email)}`, 'content-type': 'application/json' },
    body: JSON.stringify({ kind: 'terminal', ...report }),
  })
  return { status: response.status, message: ((await response.json()) as { message: string }).message }
}

describe('the time to open a machine', () => {
  test('is reported once by its session, and shown in the timeline and by size and region', async () => {
    const opening = await opened('one@acme.test')
    const refused = { status: 403, message: REMOTE_MESSAGES.notOpened }
    expect(await reportOpening('two@acme.test', { ...opening, milliseconds: 4_000 })).toEqual(refused)
    expect(await reportOpening('admin@acme.test', { ...opening, milliseconds: 4_000 })).toEqual(refused)
    expect((await reportOpening('one@acme.test', { ...opening, milliseconds: 4_000 })).status).toBe(200)
    expect(await reportOpening('one@acme.test', { ...opening, milliseconds: 4_001 })).toEqual({
      status: 409,
      message: REMOTE_MESSAGES.measuredAlready,
    })
    expect(await measured()).toEqual([
      { kind: 'terminal', size: 'Standard_DS1_v2', location: 'southindia', count: 1, median: 4_000, p95: 4_000 },
    ])
    const { body } = await at.learner('GET', `/azure/operations?vmName=${opening.vmName}`)
    const { openings } = body as ReplyOf<typeof machineCalls.operations>
    expect(openings).toEqual([
      {
        kind: 'terminal',
        at: expect.any(String),
        milliseconds: 4_000,
        usual: { median: 4_000, p95: 4_000 },
      },
    ])
  })

  test('is rejected for unused tickets, other machines and old openings', async () => {
    const { name: vmName } = await at.machineOf('one@acme.test')
    const unused = await at.ticketFor('one@acme.test', vmName)
    const report = { vmName, password: unused, milliseconds: 900 }
    expect((await reportOpening('one@acme.test', report)).message).toBe(REMOTE_MESSAGES.notOpened)
    const { password } = await opened('one@acme.test')
    const theirs = await at.machineOf('two@acme.test')
    expect((await reportOpening('one@acme.test', { ...report, vmName: theirs.name, password })).message).toBe(
      REMOTE_MESSAGES.notOpened,
    )
    await at.env.step(131)
    expect((await reportOpening('one@acme.test', { ...report, password })).message).toBe(REMOTE_MESSAGES.notOpened)
  })

  test("cannot be shorter than the portal's measurement, or longer than the time since the request", async () => {
    const opening = await opened('one@acme.test')
    const seconds = async (created: number, used: number) =>
      sql`update remote_ticket set created_at = portal_now() - make_interval(secs => ${created}),
        used_at = portal_now() - make_interval(secs => ${used}) where used_at is not null`.execute(at.env.db)
    await seconds(30, 25)
    for (const milliseconds of [1, 4_999, 41_000, 120_000]) {
      const { status, message } = await reportOpening('one@acme.test', { ...opening, milliseconds })
      expect([milliseconds, status, message]).toEqual([milliseconds, 400, REMOTE_MESSAGES.tooLong])
    }
    expect((await reportOpening('one@acme.test', { ...opening, milliseconds: 120_001 })).status).toBe(400)
    expect((await reportOpening('one@acme.test', { ...opening, milliseconds: 39_000 })).status).toBe(200)
  })

  test('of one user has little influence on the median and the 95th percentile', async () => {
    await sql`delete from remote_opening`.execute(at.env.db)
    const insertOpenings = (email: string, count: number, milliseconds: number) => sql`
      insert into remote_opening (ticket_hash, user_id, machine_id, organisation_id, kind, size_name, location, milliseconds)
      select sha256((u.id::text || n)::bytea), u.id, m.id, m.organisation_id, 'terminal', 'Standard_D2s_v3', 'southindia', ${milliseconds}
      from portal_user u, machine m, generate_series(1, ${count}) n
      where u.email = ${email} and m.email = 'one@acme.test'`
    for (let i = 0; i < 30; i += 1) {
      await at.env.signIn('user', `honest-${i}@acme.test`, at.acme)
      await insertOpenings(`honest-${i}@acme.test`, 4, 1_000 + i).execute(at.env.db)
    }
    const [before] = await measured()
    expect(before).toMatchObject({ count: 120, p95: 1_028 })
    await insertOpenings('two@acme.test', 600, 120_000).execute(at.env.db)
    const [after] = await measured()
    expect(after!.count).toBe(125)
    expect(after!.median - before!.median).toBeLessThan(3)
    expect(after!.p95).toBeLessThan(1_030)
    const opening = await opened('two@acme.test')
    expect((await reportOpening('two@acme.test', { ...opening, milliseconds: 9_000 })).message).toBe(
      REMOTE_MESSAGES.dailyLimitReached,
    )
  })

  test('counts for thirty days and is deleted after ninety', async () => {
    await at.env.step(31 * 86_400)
    expect(await measured()).toEqual([])
    await at.env.step(60 * 86_400)
    await cleanUp(at.env.parts.db)
    const { rows } = await sql<{ n: number }>`select count(*)::int as n from remote_opening`.execute(at.env.db)
    expect(rows).toEqual([{ n: 0 }])
  })
})

test('leaves no errors in the background', () => {
  expect(at.env.bugs).toEqual([])
})
