import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import type { OpenPort } from '../../../providers/cloud.ts'
import { sharedPortal } from '#test/shared.ts'
import { type TestTraining, scriptedCloud, startReconcilerTest } from '#test/scripted-cloud.ts'
import type { Turns } from '#test/turn.ts'
import { type SecurityGroupRow, securityGroupKind } from './security-group.ts'

const portal = await sharedPortal()
let turns: Turns
let place: TestTraining
let group: string
let asked: (readonly [string, readonly OpenPort[]])[]

beforeEach(async () => {
  ;({ turns, place } = await startReconcilerTest(portal))
  asked = []
  const { rows } = await sql<{ id: string }>`
    insert into security_group (training_id, organisation_id, resource_group, location)
    select id, organisation_id, 'labs', 'southindia' from training where id = ${place.training} returning id`.execute(
    portal.owner,
  )
  group = rows[0]!.id
})

const open = (port: number, priority: number) =>
  sql`insert into port (training_id, organisation_id, port, priority)
    select id, organisation_id, ${port}, ${priority} from training where id = ${place.training}`.execute(portal.owner)
const turn = (outcome: 'held' | 'changed' | 'absent' | 'something' | 'nothing') =>
  turns.turn<SecurityGroupRow>(
    securityGroupKind({
      db: portal.app.db,
      cloud: {
        ...scriptedCloud(turns.after(0)),
        async updateRules({ name }, { ports }) {
          asked.push([name, ports])
          return outcome as 'held'
        },
        async deleteSecurityGroup({ name }) {
          asked.push([name, []])
          return { at: turns.after(0), remaining: outcome as 'nothing' }
        },
      },
    }),
    group,
  )

test('writes rules in the order of their priorities and compares them again after ten minutes', async () => {
  await place.add()
  await open(8080, 1_002)
  await open(9090, 1_001)
  const { generation } = await turns.row<SecurityGroupRow>('security_group', group)
  expect(await turn('held')).toMatchObject({ attempts: 0, settled_generation: generation, pause: 600 })
  expect(asked).toEqual([
    [
      `training-${place.training}`,
      [
        { port: 9090, priority: 1_001, protocol: 'TCP and UDP', source: null },
        { port: 8080, priority: 1_002, protocol: 'TCP and UDP', source: null },
      ],
    ],
  ])
  await turns.change<SecurityGroupRow>('security_group', group, { settled_generation: null })
  expect(await turn('changed')).toMatchObject({ settled_generation: null, pause: 0 })
})

test('polls a group that does not exist yet less and less often while it needs ports', async () => {
  await place.add()
  await open(8080, 1_001)
  const pauses: (number | null)[] = []
  for (let turned = 0; turned < 10; turned++) {
    const row = await turn('absent')
    expect(row).toMatchObject({ attempts: turned + 1, settled_generation: null })
    pauses.push(row.pause)
  }
  expect(pauses.slice(0, 3)).toEqual([1.5, 2.25, 3.375])
  expect(pauses.at(-1)).toBe(30)
  expect(await turn('held')).toMatchObject({ attempts: 0, pause: 600 })
})

test.each(['held', 'absent'] as const)('a group without ports is settled if the result is %s', async (outcome) => {
  await place.add()
  const { generation } = await turns.row<SecurityGroupRow>('security_group', group)
  expect(await turn(outcome)).toMatchObject({ attempts: 0, settled_generation: generation, pause: 3600 })
})

test('deletes a group without machines together with its row', async () => {
  const gone = { desired: 'gone', observed: 'absent', admin_password: null, reconcile_at: null } as const
  await place.add({ ...gone, terminated_at: turns.after(-1) })
  await place.add({ resource_group: 'elsewhere' })
  expect(await turn('something')).toMatchObject({ pause: 1, settled_generation: null })
  expect(await turn('nothing')).toBeUndefined()
  expect(asked).toHaveLength(2)
})
