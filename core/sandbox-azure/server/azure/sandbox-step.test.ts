import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import type { SandboxId, SandboxUserId } from '@trainyard/platform/contract/words/ids.ts'
import { paise } from '@trainyard/platform/contract/words/money.ts'
import type { AzureUserRow, SandboxRow } from '@trainyard/lab-users/tables.gen.ts'
import { CloudError } from '@trainyard/platform/server/providers/errors.ts'
import { UserNotReplicated } from '../sandbox-groups.ts'
import type { Columns } from '@trainyard/platform/server/run/reconcile/outcome.ts'
import { startTestPortal, type TestPortal } from '@trainyard/platform/test/portal.ts'
import { type TestReconciler, testReconciler } from '@trainyard/platform/test/test-reconciler.ts'
import { sandboxKind } from './sandbox-step.ts'
import {
  sandboxMachine,
  scriptedDirectory,
  type ScriptedDirectory,
} from '@trainyard/platform/test/scripted-directory.ts'
import { addSandbox, addUser } from '@trainyard/platform/test/azure-lab-rows.ts'

let portal: TestPortal
let reconciler: TestReconciler
let cloud: ScriptedDirectory
let user: SandboxUserId
const add = (columns: Columns<SandboxRow> = {}) => addSandbox(portal.app, user, columns)
const processSandbox = (id: SandboxId) =>
  reconciler.process<SandboxRow>(sandboxKind({ db: portal.app.db, groups: cloud }), id)
const credits = (left: number) =>
  reconciler.change<AzureUserRow>('azure_user', user, {
    total_paise: paise(5_000),
    consumed_paise: paise(5_000 - left),
  })

/** Adds a ready sandbox of a known user, read and charged five minutes ago. */
const settled = (columns: Columns<SandboxRow> = {}) => {
  const before = reconciler.timeAfter(-300)
  return add({ ours: true, access: 'full', ready_at: before, metered_at: before, seen_at: before, ...columns })
}

beforeAll(async () => {
  portal = await startTestPortal(inject('testCluster'))
})
afterAll(() => portal.close())
beforeEach(async () => {
  reconciler = await testReconciler(portal)
  cloud = scriptedDirectory()
  user = await addUser(portal.app, { object_id: 'theirs' })
})

describe('a requested sandbox', () => {
  test('becomes a group with an end time and limits before its user gets access, and is read five minutes later', async () => {
    cloud.group = { state: 'absent' }
    const id = await add({ group_name: '11111111-new-sandbox', location: 'eastus' })
    const { email } = await reconciler.row<AzureUserRow>('azure_user', user)
    const row = await processSandbox(id)
    expect(cloud.calls).toEqual([
      'read',
      `create 11111111-new-sandbox in eastus for ${email} until ${reconciler.timeAfter(86_400).toISOString()}`,
      'limit',
      'list',
      'access full',
    ])
    const now = reconciler.timeAfter(0)
    expect(row).toMatchObject({ ours: true, create_sent_at: now, access: 'full', ready_at: now, metered_at: now })
    expect(row).toMatchObject({ seen_at: now, absent_at: null, last_error: null, pause: 300 })
  })

  test('that already exists is found and not created again', async () => {
    const row = await processSandbox(await add())
    expect(cloud.calls).toEqual(['read', 'limit', 'list', 'access full'])
    expect(row).toMatchObject({ ours: true, create_sent_at: null })
  })

  test('whose creation fails keeps the time of sending', async () => {
    cloud.group = { state: 'absent' }
    cloud.failures = { create: new CloudError('unreachable', 'No answer.') }
    expect(await processSandbox(await add())).toMatchObject({
      ours: false,
      create_sent_at: reconciler.timeAfter(0),
      attempts: 1,
      last_error: 'No answer.',
    })
  })

  test.each(['existing', 'deleting'] as const)('that is %s with another owner is not changed', async (state) => {
    cloud.group = { state, ours: false }
    const row = await processSandbox(await add({ group_name: `22222222-${state}-sandbox` }))
    expect(cloud.calls).toEqual(['read'])
    const reason = `There is already a group 22222222-${state}-sandbox at the cloud that does not belong to this portal.`
    expect(row).toMatchObject({ ours: false, attempts: 1, last_error: reason })
  })

  test('that is being deleted waits for half a minute', async () => {
    cloud.group = { state: 'deleting', ours: true }
    const row = await processSandbox(await add())
    expect(cloud.calls).toEqual(['read'])
    expect(row).toMatchObject({ ours: false, attempts: 1 })
    expect(row.pause).toBeGreaterThanOrEqual(30)
  })

  test('waits without reading its resources until its user exists', async () => {
    await reconciler.change<AzureUserRow>('azure_user', user, { object_id: null })
    const row = await processSandbox(await add())
    expect(cloud.calls).toEqual(['read', 'limit'])
    expect(row).toMatchObject({ ours: true, access: 'none', ready_at: null, pause: 60 })
  })
})

describe('a ready sandbox', () => {
  test('is not limited again, keeps its time, and its resources are charged', async () => {
    cloud.resources = [sandboxMachine('one', true)]
    const row = await processSandbox(await settled({ absent_at: reconciler.timeAfter(-30) }))
    expect(cloud.calls).toEqual(['list', 'access full'])
    expect(row).toMatchObject({
      ready_at: reconciler.timeAfter(-300),
      metered_at: reconciler.timeAfter(0),
      seen_at: reconciler.timeAfter(0),
    })
    expect(row).toMatchObject({ absent_at: null, pause: 300, desired: 'ready' })
    // Five minutes at 1,400 paise per hour.
    expect((await reconciler.row<AzureUserRow>('azure_user', user)).consumed_paise).toBe(117)
  })

  test('that is frozen gets read access, and its machines that may be billed are stopped', async () => {
    cloud.resources = [sandboxMachine('on', true), sandboxMachine('off', false), sandboxMachine('unseen', null)]
    const row = await processSandbox(await settled({ desired: 'frozen' }))
    expect(cloud.calls).toEqual(['list', 'access read', 'stop on', 'stop unseen'])
    expect(row).toMatchObject({ access: 'read', pause: 10 })
  })

  test.each([[false], [null]])('that is frozen without billed machines (%s) waits five minutes', async (billed) => {
    cloud.resources = [sandboxMachine('quiet', billed)]
    expect(await processSandbox(await settled({ desired: 'frozen' }))).toMatchObject({ pause: 300 })
  })

  test('is processed again immediately when its charge uses the last credits', async () => {
    await credits(100)
    cloud.resources = [sandboxMachine('on', true)]
    expect(await processSandbox(await settled())).toMatchObject({ desired: 'frozen', generation: 1, pause: 0 })
    expect(cloud.calls).not.toContain('stop on')
    expect((await reconciler.row<AzureUserRow>('azure_user', user)).consumed_paise).toBe(5_000)
  })

  test('that is frozen without credits is not processed again immediately', async () => {
    await credits(0)
    expect(await processSandbox(await settled({ desired: 'frozen' }))).toMatchObject({ pause: 300 })
  })
})

describe('a refusal', () => {
  const refused = new CloudError('refused', 'Refused.')
  const later = new CloudError('throttled', 'Later.', 45)

  test('of roles keeps a sandbox from being ready, but not from being charged and stopped', async () => {
    cloud.failures = { access: refused }
    cloud.resources = [sandboxMachine('on', true)]
    const row = await processSandbox(await settled({ desired: 'frozen', ready_at: null, access: 'none' }))
    expect(cloud.calls).toEqual(['limit', 'list', 'access read', 'stop on'])
    expect(row).toMatchObject({ access: 'none', ready_at: null, attempts: 1, last_error: 'Refused.' })
    expect((await reconciler.row<AzureUserRow>('azure_user', user)).consumed_paise).toBe(117)
  })

  test('of roles with a requested pause stops no machine before its end', async () => {
    cloud.failures = { access: later }
    cloud.resources = [sandboxMachine('on', true)]
    const row = await processSandbox(await settled({ desired: 'frozen' }))
    expect(cloud.calls).toEqual(['list', 'access read'])
    expect(row.attempts).toBe(1)
    expect(row.pause).toBeGreaterThanOrEqual(45)
  })

  test('of one machine does not skip the next, and is reported', async () => {
    cloud.failures = { first: refused }
    cloud.resources = [sandboxMachine('first', true), sandboxMachine('second', true)]
    const row = await processSandbox(await settled({ desired: 'frozen' }))
    expect(cloud.calls.slice(-2)).toEqual(['stop first', 'stop second'])
    expect(row).toMatchObject({ access: 'read', attempts: 1, last_error: 'Refused.' })
  })

  test('of one machine with a requested pause skips the next', async () => {
    cloud.failures = { access: refused, first: later }
    cloud.resources = [sandboxMachine('first', true), sandboxMachine('second', true)]
    const row = await processSandbox(await settled({ desired: 'frozen', attempts: 5 }))
    expect(cloud.calls.at(-1)).toBe('stop first')
    // The pause that Azure requested applies, although other calls were refused for other reasons.
    expect(row.last_error).toBe('Later.')
    expect(row.pause).toBeGreaterThanOrEqual(45)
  })
})

describe('a user not yet known to the cloud', () => {
  const unknown = new UserNotReplicated('refused', 'Not known.')
  const WAITS = 'Azure does not know the new user yet. This takes up to five minutes.'
  const GIVEN_UP =
    'Azure did not know the user within 30 minutes, so the portal has stopped trying. Delete the sandbox and create another.'

  test('is retried every ten seconds without counting attempts', async () => {
    cloud.failures = { access: unknown }
    const id = await add({ ours: true, create_sent_at: reconciler.timeAfter(-1_800), attempts: 2 })
    expect(await processSandbox(id)).toMatchObject({ attempts: 0, last_error: WAITS, pause: 10 })
  })

  test('is abandoned half an hour after the creation was sent', async () => {
    cloud.failures = { access: unknown }
    const id = await add({ ours: true, create_sent_at: reconciler.timeAfter(-1_801), attempts: 2 })
    expect(await processSandbox(id)).toMatchObject({ attempts: 3, last_error: GIVEN_UP, pause: null })
  })

  test('is abandoned half an hour after the request if no creation was sent', async () => {
    cloud.failures = { access: unknown }
    const id = await add({ ours: true })
    await reconciler.wait(1_800)
    expect(await processSandbox(id)).toMatchObject({ last_error: WAITS })
    await reconciler.wait(1)
    expect(await processSandbox(id)).toMatchObject({ last_error: GIVEN_UP })
  })

  test('is waited for after any call that reports it', async () => {
    cloud.failures = { limit: unknown }
    expect(await processSandbox(await add({ ours: true }))).toMatchObject({ attempts: 0, last_error: WAITS, pause: 10 })
  })
})

describe('a missing group', () => {
  beforeEach(() => void (cloud.resources = null))

  test('ends its sandbox after a minute and is never recreated', async () => {
    const id = await settled()
    expect(await processSandbox(id)).toMatchObject({
      absent_at: reconciler.timeAfter(0),
      ours: true,
      desired: 'ready',
      pause: 60,
    })
    await reconciler.wait(59)
    expect(await processSandbox(id)).toMatchObject({ absent_at: reconciler.timeAfter(0), desired: 'ready', pause: 1 })
    await reconciler.wait(1)
    expect(await processSandbox(id)).toMatchObject({ ours: false, desired: 'gone', pause: 0 })
    expect(cloud.calls).toEqual(['list', 'list', 'list'])
  })

  test('soon after its creation is waited for five minutes', async () => {
    const id = await settled({ create_sent_at: reconciler.timeAfter(-100) })
    expect(await processSandbox(id)).toMatchObject({ desired: 'ready', pause: 200 })
  })
})
