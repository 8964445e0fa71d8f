import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { groupNameOf } from '@trainyard/lab-users/contract/sandbox-words.ts'
import { makeLab } from '@trainyard/platform/test/labs.ts'
import { workerOf } from '@trainyard/server/compose.ts'
import { brokenInvariants } from '@trainyard/platform/server/invariants/check.ts'
import type { Db, Tx } from '@trainyard/platform/server/db/schema.ts'
import { startTestPortal, type TestPortal } from '@trainyard/platform/test/portal.ts'
import { until } from '@trainyard/platform/test/until.ts'
import type { SandboxRow } from '@trainyard/lab-users/tables.gen.ts'
import { queueOf } from '@trainyard/platform/server/run/reconcile/claim.ts'
import type { Kind } from '@trainyard/platform/server/run/reconcile/loop.ts'
import { workOn } from '@trainyard/platform/server/run/reconcile/work.ts'
import { charge } from './meter.ts'
import { sandboxKind } from './sandbox-step.ts'

/** Starts a portal without workers, with a lab user who already has a sandbox. */
const portalWith = (settings: Readonly<Record<string, string>>) => {
  let portal: TestPortal
  beforeAll(async () => {
    portal = await startTestPortal(inject('testCluster'), settings)
    await makeLab(portal, 'asha@labs.test', 'asha')
  })
  afterAll(() => portal.close())
  const page = async () => {
    const reply = await portal.request('GET', '/sandbox/azure', { uid: await portal.sessionOf('asha@labs.test') })
    return (await reply.json()) as { userId: string; limit: number | null; sandbox: object[] }
  }
  return {
    page,
    ofDatabase: () => portal.owner,
    app: () => portal.app,
    async createAtOnce(names: readonly string[]) {
      const uid = await portal.sessionOf('asha@labs.test')
      const { userId } = await page()
      const replies = await Promise.all(
        names.map((name) =>
          portal.request('POST', '/sandbox/azure', {
            uid,
            body: { resourceGroupName: groupNameOf(userId, name), resourceGroupLocation: 'southindia' },
          }),
        ),
      )
      return Promise.all(
        replies.map(async (reply) => ({
          status: reply.status,
          message: ((await reply.json()) as { message: string }).message,
        })),
      )
    },
  }
}

const names = (count: number) => Array.from({ length: count }, (_, index) => `s${index}`)

describe('without a limit', () => {
  const lab = portalWith({})

  test('sandboxes can be created while credits are left, in any number', async () => {
    const consumed = (paise: number) =>
      sql`update azure_user set total_paise = 100000, consumed_paise = ${paise}`.execute(lab.ofDatabase())
    const replies = await lab.createAtOnce(names(20))
    expect(replies.filter(({ status }) => status !== 200)).toEqual([])
    expect(await brokenInvariants(lab.ofDatabase(), { quiet: false })).toEqual([])
    await consumed(99_999)
    expect(await lab.createAtOnce(['last'])).toMatchObject([{ status: 200 }])
    await consumed(100_000)
    expect(await lab.createAtOnce(['none'])).toMatchObject([{ status: 409, message: 'No credits are left.' }])
    expect(await lab.page()).toMatchObject({ limit: null })
  })

  test('a charge that freezes all sandboxes does not deadlock with other locks', async () => {
    const { db } = lab.app()
    const { groups } = (await workerOf(lab.app())).azureLabs!
    await lab.createAtOnce(['one', 'two'])
    await sql`update azure_user set consumed_paise = total_paise`.execute(lab.ofDatabase())
    const claimed = (await queueOf<SandboxRow>('sandbox').claimDue(db, 100, 60)).toSorted((one, two) =>
      one.id < two.id ? -1 : 1,
    )
    const [first, last] = [claimed[0]!, claimed.at(-1)!]
    const lock = (tx: Tx, { id }: { id: string }) => sql`select from sandbox where id = ${id} for update`.execute(tx)
    // Locks several rows in the same order as the extension of leases.
    let charged: Promise<unknown> = Promise.resolve()
    let usedUp: boolean | null = null
    const kind: Kind<SandboxRow> = {
      ...sandboxKind({ db, groups }),
      step: async () => async (its, locked) => {
        usedUp = (await charge(its, locked, [])).usedUp
        return { next: 0 }
      },
    }
    const noBug = (bug: unknown) => expect.unreachable(String(bug))
    await db.transaction().execute(async (tx) => {
      await lock(tx, first)
      charged = workOn(db, kind, last, AbortSignal.timeout(20_000), noBug)
      await until(
        'the charge waits',
        () => waiting(db),
        (count) => count === 1,
      )
      await lock(tx, last)
    })
    await charged
    expect(usedUp).toBe(true)
    const { rows } = await sql`select from sandbox where desired = 'frozen'`.execute(db)
    expect(rows).toHaveLength(claimed.length)
  })
})

async function waiting(db: Db): Promise<number> {
  const { rows } = await sql`
    select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(db)
  return rows.length
}

describe('with a limit of three', () => {
  const lab = portalWith({ AZURE_LAB_SANDBOX_LIMIT: '3' })

  test('twenty concurrent requests create as many as allowed, and the others get the reason', async () => {
    const replies = await lab.createAtOnce(names(20))
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(2)
    const refused = replies.filter(({ status }) => status === 409)
    expect(refused).toHaveLength(18)
    for (const { message } of refused) expect(message).toMatch(/^3 sandboxes at a time. Delete one first\./)
    const { limit, sandbox } = await lab.page()
    expect([limit, sandbox.length]).toEqual([3, 3])
  })
})
