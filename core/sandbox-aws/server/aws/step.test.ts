import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import type { SandboxUserId } from '@trainyard/platform/contract/words/ids.ts'
import type { AwsUserRow } from '@trainyard/lab-users/tables.gen.ts'
import type { AwsUserRef, AwsUsers, AwsUserState } from '../aws-users.ts'
import { CloudError } from '@trainyard/platform/server/providers/errors.ts'
import type { Columns } from '@trainyard/platform/server/run/reconcile/outcome.ts'
import { startTestPortal, type TestPortal } from '@trainyard/platform/test/portal.ts'
import { type TestReconciler, testReconciler } from '@trainyard/platform/test/test-reconciler.ts'
import { reclaimAwsAccounts } from './lease.ts'
import { awsUserKind } from './step.ts'
import { endAwsUsers, endExpiredAwsUsers } from './wake.ts'

let portal: TestPortal
let reconciler: TestReconciler
let count = 0
let providerCalls: string[]
let seen: AwsUserState
let found: 'something' | 'nothing'
let account: 'away' | 'clean' | 'used'
let failures: Readonly<Record<string, Error>>
let duringCall: () => Promise<unknown>

/** A test double of AWS that returns the states set by the test and fails the calls in `failures`. */
const record = async (call: string, of: string | null) => {
  providerCalls.push(of === null ? call : `${call} in ${of}`)
  await duringCall()
  if (failures[call] !== undefined) throw failures[call]
}
const aws: AwsUsers = {
  async create(user) {
    await record('create', user.account)
    providerCalls.push(`until ${user.until.toISOString()} with ${user.password}`)
    return { account: user.account ?? '111111111111' }
  },
  secure: (user) => record('secure', user.account),
  async getState(at) {
    await record('look', at.account)
    return seen
  },
  block: (at: AwsUserRef) => record('block', at.account),
  async remove(at) {
    await record('remove', at.account)
    return found
  },
  list: async () => [],
  retire: (of) => record('retire', of),
  async getAccountState(of) {
    await record('account', of)
    return account
  },
}

const processUser = (id: SandboxUserId) =>
  reconciler.process<AwsUserRow>(awsUserKind({ aws, seal: portal.app.seal }), id)
const row = (id: SandboxUserId) => reconciler.row<AwsUserRow>('aws_user', id)
const end = (id: SandboxUserId) => portal.owner.transaction().execute((tx) => endAwsUsers(tx, [id]))

async function add(columns: Columns<AwsUserRow> = {}): Promise<SandboxUserId> {
  const { db, seal } = portal.app
  const id = randomUUID() as SandboxUserId
  const username = `user${++count}`
  const created = await db
    .insertInto('portal_user')
    .values({ email: `${username}@aws.test`, role: 'awssandboxuser', organisation_id: null, password_hash: null })
    .returning('id')
    .executeTakeFirstOrThrow()
  await db
    .insertInto('aws_user')
    .values({
      id,
      username,
      email: `${username}@aws.test`,
      personal_email: `${username}@home.test`,
      account_id: created.id,
      days: 1,
      end_at: reconciler.timeAfter(86_400),
      first_password: seal.seal('Correct-Horse-7', id),
      ...columns,
    })
    .execute()
  return id
}

const created = (columns: Columns<AwsUserRow> = {}) => {
  const before = reconciler.timeAfter(-900)
  return add({ create_sent_at: before, ready_at: before, aws_account: '111111111111', ...columns })
}

beforeAll(async () => {
  portal = await startTestPortal(inject('testCluster'))
})
afterAll(() => portal.close())
beforeEach(async () => {
  reconciler = await testReconciler(portal)
  providerCalls = []
  seen = { state: 'existing', secured: true }
  found = 'nothing'
  account = 'away'
  failures = {}
  duringCall = async () => undefined
})

describe('a new lab user', () => {
  test('is created with its end and password, and read ten minutes later', async () => {
    const id = await add({ attempts: 1, last_error: 'No.' })
    expect(await processUser(id)).toMatchObject({
      create_sent_at: reconciler.timeAfter(0),
      ready_at: reconciler.timeAfter(0),
      aws_account: '111111111111',
      attempts: 0,
      last_error: null,
      pause: 600,
    })
    expect(providerCalls).toEqual([
      'create',
      `until ${reconciler.timeAfter(86_400).toISOString()} with Correct-Horse-7`,
    ])
  })

  test('is created in its leased account', async () => {
    await processUser(await add({ aws_account: '222222222222', leased: true }))
    expect(providerCalls[0]).toBe('create in 222222222222')
  })

  test('that ends during its creation is blocked and deleted immediately', async () => {
    const id = await add()
    duringCall = () => end(id)
    await processUser(id)
    expect(providerCalls.filter((call) => !call.startsWith('until'))).toEqual(['create', 'block', 'remove'])
  })

  test('that ends before the creation is sent is not created', async () => {
    const id = await add()
    const kind = awsUserKind({ aws, seal: portal.app.seal })
    const ended = await reconciler.process<AwsUserRow>(
      {
        ...kind,
        async step(user, signal) {
          await end(id)
          return kind.step(user, signal)
        },
      },
      id,
    )
    expect(ended).toMatchObject({ create_sent_at: null, pause: 0 })
    expect(providerCalls).toEqual([])
  })

  test('whose creation fails is retried after a pause, with the time of sending in its row', async () => {
    failures = { create: new CloudError('unreachable', 'No answer.') }
    const failed = await processUser(await add())
    expect(failed).toMatchObject({
      create_sent_at: reconciler.timeAfter(0),
      ready_at: null,
      attempts: 1,
      last_error: 'No answer.',
    })
    expect(failed.pause).toBeGreaterThan(0)
  })
})

describe('a read', () => {
  test('of a user with intact limits changes nothing', async () => {
    expect(await processUser(await created({ absent_at: reconciler.timeAfter(-60) }))).toMatchObject({
      absent_at: null,
      pause: 600,
    })
    expect(providerCalls).toEqual(['look'])
  })

  test('of a user without its limits restores them, and reads again after a minute', async () => {
    seen = { state: 'existing', secured: false }
    expect(await processUser(await created())).toMatchObject({ pause: 60 })
    expect(providerCalls).toEqual(['look', 'secure'])
  })

  test.each(['absent', 'foreign'] as const)('of a user who is %s twice ends it, a minute later', async (state) => {
    seen = { state }
    const id = await created()
    expect(await processUser(id)).toMatchObject({ absent_at: reconciler.timeAfter(0), desired: 'ready', pause: 60 })
    await reconciler.wait(60)
    expect(await processUser(id)).toMatchObject({ desired: 'gone', pause: 0 })
    expect(providerCalls).toEqual(['look', 'look'])
  })

  test('of a user that ended in the meantime continues with the end', async () => {
    const id = await created()
    duringCall = () => end(id)
    await processUser(id)
    expect(providerCalls).toEqual(['look', 'block', 'remove'])
  })
})

describe('an end', () => {
  const ending = async (columns: Columns<AwsUserRow> = {}) => {
    const id = await created(columns)
    await end(id)
    return id
  }

  test('of a user that was never sent to AWS completes immediately', async () => {
    const id = await add()
    await end(id)
    expect(await processUser(id)).toMatchObject({
      ended_at: reconciler.timeAfter(0),
      first_password: null,
      account_id: null,
      pause: null,
    })
    expect(providerCalls).toEqual([])
  })

  test('blocks and deletes until nothing is found, then completes', async () => {
    found = 'something'
    const id = await ending()
    expect(await processUser(id)).toMatchObject({
      blocked_at: reconciler.timeAfter(0),
      attempts: 1,
      absent_at: null,
      pause: 2,
    })
    expect(providerCalls).toEqual(['block', 'remove'])
    expect(await processUser(id)).toMatchObject({ attempts: 2, pause: 4 })
    await reconciler.change<AwsUserRow>('aws_user', id, { attempts: 5, last_error: 'Old.' })
    expect(await processUser(id)).toMatchObject({ attempts: 6, pause: 60 })
    found = 'nothing'
    expect(await processUser(id)).toMatchObject({
      ended_at: reconciler.timeAfter(0),
      absent_at: reconciler.timeAfter(0),
      attempts: 0,
      pause: null,
    })
    expect(providerCalls).toEqual(['block', 'remove', 'remove', 'remove', 'remove'])
  })

  test('waits for a creation that may still complete, and no longer', async () => {
    const id = await ending({ create_sent_at: reconciler.timeAfter(-30) })
    expect(await processUser(id)).toMatchObject({
      absent_at: reconciler.timeAfter(0),
      ended_at: null,
      attempts: 0,
      pause: 15,
    })
    await reconciler.wait(59)
    expect(await processUser(id)).toMatchObject({ absent_at: reconciler.timeAfter(0), ended_at: null, pause: 15 })
    await reconciler.wait(1)
    expect(await processUser(id)).toMatchObject({
      absent_at: reconciler.timeAfter(0),
      ended_at: reconciler.timeAfter(60),
      pause: null,
    })
  })

  test('is retried within a minute after a failure, or when AWS requests', async () => {
    failures = { block: new CloudError('unreachable', 'No answer.') }
    const id = await ending({ attempts: 20 })
    await reconciler.change<AwsUserRow>('aws_user', id, { attempts: 20 })
    const failed = await processUser(id)
    expect(failed).toMatchObject({ attempts: 21, last_error: 'No answer.', blocked_at: null })
    expect(failed.pause).toBeGreaterThan(20)
    expect(failed.pause).toBeLessThanOrEqual(60)
  })

  test('of a user with a leased account retires that account', async () => {
    await sql`insert into aws_account (id) values ('333333333333') on conflict do nothing`.execute(portal.owner)
    const id = await ending({ aws_account: '333333333333', leased: true })
    await sql`update aws_account set aws_user_id = ${id} where id = '333333333333'`.execute(portal.owner)
    await processUser(id)
    expect(providerCalls).toEqual(['block in 333333333333', 'remove in 333333333333', 'retire in 333333333333'])
    expect(await leased('333333333333')).toMatchObject({
      aws_user_id: null,
      retired_at: reconciler.timeAfter(0),
      look_at: reconciler.timeAfter(0),
    })
  })
})

const leased = (id: string) =>
  portal.owner.selectFrom('aws_account').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

describe('a retired account', () => {
  const reclaimOnce = () => reclaimAwsAccounts(portal.app.db, aws, AbortSignal.timeout(20_000))
  beforeEach(async () => {
    await sql`delete from aws_account`.execute(portal.owner)
    await sql`
      insert into aws_account (id, retired_at, look_at) values ('444444444444', ${reconciler.timeAfter(0)}, ${reconciler.timeAfter(0)})`.execute(
      portal.owner,
    )
    await sql`
      insert into aws_account (id, retired_at, look_at) values ('555555555555', ${reconciler.timeAfter(0)}, ${reconciler.timeAfter(30)})`.execute(
      portal.owner,
    )
  })

  test('is read in turn, and again after a minute', async () => {
    await reclaimOnce()
    await reclaimOnce()
    expect(providerCalls).toEqual(['account in 444444444444'])
    expect(await leased('444444444444')).toMatchObject({
      retired_at: reconciler.timeAfter(0),
      look_at: reconciler.timeAfter(60),
    })
    await reconciler.wait(60)
    await reclaimOnce()
    expect(providerCalls.slice(1).toSorted()).toEqual(['account in 444444444444', 'account in 555555555555'])
  })

  test('is available again once it is clean', async () => {
    account = 'clean'
    await reclaimOnce()
    expect(await leased('444444444444')).toMatchObject({ retired_at: null, look_at: null, quarantined: null })
    expect((await leased('555555555555')).retired_at).not.toBeNull()
  })

  test('that was returned with users in it is quarantined and not read again', async () => {
    account = 'used'
    await reclaimOnce()
    const quarantined = 'The account was returned while it still contained lab users.'
    expect(await leased('444444444444')).toMatchObject({ retired_at: reconciler.timeAfter(0), quarantined })
    expect((await leased('555555555555')).quarantined).toBeNull()
    await sql`delete from aws_account where id = '555555555555'`.execute(portal.owner)
    await reconciler.wait(120)
    await reclaimOnce()
    expect(providerCalls).toHaveLength(1)
  })

  test('that cannot be read stays retired, but a bug is thrown', async () => {
    failures = { account: new CloudError('unreachable', 'No answer.') }
    await reclaimOnce()
    expect((await leased('444444444444')).retired_at).not.toBeNull()
    await reconciler.wait(60)
    failures = { account: new TypeError('bug') }
    await expect(reclaimOnce()).rejects.toThrow('bug')
  })
})

test('lab users end once when their time expires, and not before', async () => {
  await sql`update aws_user set desired = 'gone' where desired = 'ready'`.execute(portal.owner)
  const expired = await created({ end_at: reconciler.timeAfter(60) })
  const notDue = await created({ end_at: reconciler.timeAfter(61) })
  await endExpiredAwsUsers(portal.app.db)
  expect((await row(expired)).desired).toBe('ready')
  await reconciler.wait(60)
  await endExpiredAwsUsers(portal.app.db)
  await endExpiredAwsUsers(portal.app.db)
  expect(await row(expired)).toMatchObject({ desired: 'gone', generation: 1, pause: 0 })
  expect((await row(notDue)).desired).toBe('ready')
})
