import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import type { OpenPort } from '@trainyard/templates/server/cloud.ts'
import { template } from '@trainyard/platform/test/orders.ts'
import { sharedPortal } from '@trainyard/platform/test/shared.ts'
import { type TestTraining, scriptedCloud, startReconcilerTest } from '@trainyard/platform/test/scripted-cloud.ts'
import type { TestReconciler } from '@trainyard/platform/test/test-reconciler.ts'
import type { SecurityGroupRow } from '../tables.gen.ts'
import { securityGroupKind } from './security-group.ts'

const portal = await sharedPortal()
let reconciler: TestReconciler
let testTraining: TestTraining
let group: string
let updates: (readonly [string, readonly OpenPort[]])[]

beforeEach(async () => {
  ;({ reconciler, testTraining } = await startReconcilerTest(portal))
  updates = []
  const { rows } = await sql<{ id: string }>`
    insert into security_group (training_id, organisation_id, provider, place)
    select id, organisation_id, 'azure', ${JSON.stringify(template().place)}::jsonb from training where id = ${testTraining.training} returning id`.execute(
    portal.owner,
  )
  group = rows[0]!.id
})

const open = (port: number, priority: number) =>
  sql`insert into port (training_id, organisation_id, port, priority)
    select id, organisation_id, ${port}, ${priority} from training where id = ${testTraining.training}`.execute(
    portal.owner,
  )
const processGroup = (outcome: 'held' | 'changed' | 'absent' | 'something' | 'nothing') =>
  reconciler.process<SecurityGroupRow>(
    securityGroupKind({
      db: portal.app.db,
      clouds: {
        azure: {
          ...scriptedCloud(reconciler.timeAfter(0)),
          async updateRules({ name }, { ports }) {
            updates.push([name, ports])
            return outcome as 'held'
          },
          async deleteSecurityGroup({ name }) {
            updates.push([name, []])
            return { at: reconciler.timeAfter(0), remaining: outcome as 'nothing' }
          },
        },
      },
    }),
    group,
  )

test('writes rules in the order of their priorities and compares them again after ten minutes', async () => {
  await testTraining.add()
  await open(8080, 1_002)
  await open(9090, 1_001)
  const { generation } = await reconciler.row<SecurityGroupRow>('security_group', group)
  expect(await processGroup('held')).toMatchObject({ attempts: 0, settled_generation: generation, pause: 600 })
  expect(updates).toEqual([
    [
      `training-${testTraining.training}`,
      [
        { port: 9090, priority: 1_001, protocol: 'TCP and UDP', source: null },
        { port: 8080, priority: 1_002, protocol: 'TCP and UDP', source: null },
      ],
    ],
  ])
  await reconciler.change<SecurityGroupRow>('security_group', group, { settled_generation: null })
  expect(await processGroup('changed')).toMatchObject({ settled_generation: null, pause: 0 })
})

test('polls a group that does not exist yet less and less often while it needs ports', async () => {
  await testTraining.add()
  await open(8080, 1_001)
  const pauses: (number | null)[] = []
  for (let step = 0; step < 10; step++) {
    const row = await processGroup('absent')
    expect(row).toMatchObject({ attempts: step + 1, settled_generation: null })
    pauses.push(row.pause)
  }
  expect(pauses.slice(0, 3)).toEqual([1.5, 2.25, 3.375])
  expect(pauses.at(-1)).toBe(30)
  expect(await processGroup('held')).toMatchObject({ attempts: 0, pause: 600 })
})

test.each(['held', 'absent'] as const)('a group without ports is settled if the result is %s', async (outcome) => {
  await testTraining.add()
  const { generation } = await reconciler.row<SecurityGroupRow>('security_group', group)
  expect(await processGroup(outcome)).toMatchObject({ attempts: 0, settled_generation: generation, pause: 3600 })
})

test('deletes a group without machines together with its row', async () => {
  const deletedColumns = { desired: 'gone', observed: 'absent', admin_password: null, reconcile_at: null } as const
  await testTraining.add({ ...deletedColumns, terminated_at: reconciler.timeAfter(-1) })
  await testTraining.add({ place: { group: 'elsewhere', location: 'southindia' } })
  expect(await processGroup('something')).toMatchObject({ pause: 1, settled_generation: null })
  expect(await processGroup('nothing')).toBeUndefined()
  expect(updates).toHaveLength(2)
})
