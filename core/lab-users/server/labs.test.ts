import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { makeLab } from '@trainyard/platform/test/labs.ts'
import { brokenInvariants } from '@trainyard/platform/server/invariants/check.ts'
import { labDifferences, type LabRecord } from '../test/compare-labs.ts'
import { sharedPortal } from '@trainyard/platform/test/shared.ts'

/** Negative controls: the queries and the comparison detect each violated invariant of sandboxes. */

const portal = await sharedPortal()
await makeLab(portal, 'asha@labs.test', 'asha')
const user = await portal.owner.selectFrom('azure_user').select(['id', 'email']).executeTakeFirstOrThrow()
const sandbox = await portal.owner
  .updateTable('sandbox')
  .set({ create_sent_at: new Date() })
  .returning(['id', 'group_name'])
  .executeTakeFirstOrThrow()

/** Returns the invariants that a change violates. The change is rolled back. */
async function brokenBy(change: string): Promise<string[]> {
  let found: string[] = []
  const undone = new Error('undone')
  await portal.owner
    .transaction()
    .execute(async (tx) => {
      await sql.raw(change).execute(tx)
      found = (await brokenInvariants(tx, { quiet: true })).map(({ name }) => name)
      throw undone
    })
    .catch((problem: unknown) => {
      if (problem !== undone) throw problem
    })
  return found
}

describe('the database', () => {
  test.each([
    ['nothing', 'select 1', []],
    ['consumed credits without a charge', 'update azure_user set consumed_paise = consumed_paise + 1', ['B2']],
    ['a sandbox frozen while credits are left', "update sandbox set desired = 'frozen'", ['B2']],
    ['an active sandbox without credits left', 'update azure_user set total_paise = consumed_paise', ['B2']],
    [
      'a frozen sandbox with full access',
      "update azure_user set total_paise = consumed_paise; update sandbox set desired = 'frozen', access = 'full'",
      ['B2'],
    ],
    [
      'a sandbox after its end',
      "update sandbox set delete_at = portal_now() - interval '16 minutes', created_at = portal_now() - interval '1 day'",
      ['B3'],
    ],
    [
      'a lab user after its end',
      "update azure_user set end_at = portal_now() - interval '16 minutes', start_at = portal_now() - interval '1 day'",
      ['B3'],
    ],
  ])('%s', async (_, change, names) => {
    expect(await brokenBy(change)).toEqual(names)
  })

  test.each([
    [
      'more credits consumed than available',
      'update azure_user set consumed_paise = total_paise + 1',
      'azure_user_check',
    ],
    [
      'a sandbox that changes its group',
      "grant trainyard_app to current_user; set role trainyard_app; update sandbox set group_name = 'other'",
      'permission denied',
    ],
    [
      'a deleted charge',
      'grant trainyard_app to current_user; set role trainyard_app; delete from sandbox_charge',
      'permission denied',
    ],
  ])('refuses %s', async (_, change, words) => {
    await expect(brokenBy(change)).rejects.toThrow(words)
  })
})

describe("the comparison with the provider's record", () => {
  const record = (overrides: Partial<LabRecord> = {}): LabRecord => ({
    users: [{ mailNickname: user.id, exists: true, canSignIn: true, roles: [] }],
    resourceGroups: [{ name: sandbox.group_name, tags: { 'trainyard-sandbox': sandbox.id } }],
    history: [],
    ...overrides,
  })
  const deleted = (group: string) => ({
    event: 'deleted',
    type: 'Microsoft.Resources/resourceGroups',
    id: `/subscriptions/x/resourceGroups/${group}`,
  })

  test('finds no difference', async () => {
    expect(await labDifferences(portal.owner, record({ history: [deleted(sandbox.group_name)] }))).toEqual([])
  })

  test('reports a missing user', async () => {
    expect(await labDifferences(portal.owner, record({ users: [] }))).toEqual([
      'the user asha@labs.test is missing in the directory',
    ])
  })

  test('reports a group of ours without a row', async () => {
    const orphan = { name: 'orphan', tags: { 'trainyard-sandbox': user.id } }
    expect(await labDifferences(portal.owner, record({ resourceGroups: [orphan] }))).toEqual([
      'the group orphan exists without a sandbox',
    ])
  })

  test('reports a deleted group that was not ours', async () => {
    expect(await labDifferences(portal.owner, record({ history: [deleted('labs')] }))).toEqual([
      'the group labs was deleted and never was a sandbox',
    ])
  })
})
