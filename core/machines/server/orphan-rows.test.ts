import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { sharedPortal } from '@trainyard/platform/test/shared.ts'
import { addTraining, type ScriptedCloud, scriptedCloud } from '@trainyard/platform/test/scripted-cloud.ts'
import { type TestReconciler, testReconciler } from '@trainyard/platform/test/test-reconciler.ts'
import type { Actor } from '@trainyard/platform/server/core/actor.ts'
import type { OrphanRow } from '../tables.gen.ts'
import { requestDeletion, orphanKind } from './orphan.ts'

const portal = await sharedPortal()
const { app, owner } = portal
const by = (email: string) => ({ email }) as Actor

let reconciler: TestReconciler
let cloud: ScriptedCloud
let named = 0

beforeEach(async () => {
  reconciler = await testReconciler(portal)
  cloud = scriptedCloud(reconciler.timeAfter(0))
})

async function orphan(more: Partial<OrphanRow> = {}): Promise<OrphanRow> {
  const seen = { first_seen_at: reconciler.timeAfter(-60), last_seen_at: reconciler.timeAfter(0) }
  return owner
    .insertInto('orphan')
    .values({ provider: 'azure', place_group: 'labs', name: `orphan-${++named}`, tag: randomUUID(), ...seen, ...more })
    .returningAll()
    .executeTakeFirstOrThrow()
}
const row = (id: string) => reconciler.row<OrphanRow>('orphan', id)
const send = ({ place_group, name }: OrphanRow, email = 'root@portal.test', confirm = name) =>
  owner
    .transaction()
    .execute((tx) => requestDeletion(tx, by(email), { group: place_group.toUpperCase(), name, confirm }))
const turn = async ({ id }: OrphanRow) => ({
  ...(await reconciler.process(orphanKind({ db: app.db, clouds: { azure: cloud } }), id)),
  asked: cloud.calls.splice(0),
})

describe('deletion request of an orphan', () => {
  test('is stored once, for the requested orphan only, and clears earlier errors', async () => {
    const one = await orphan({ attempts: 2, last_error: 'No.' })
    const others = [await orphan(), await orphan({ name: one.name, place_group: 'elsewhere' })]
    await send(one)
    const asked = {
      deletion_asked_by: 'root@portal.test',
      deletion_asked_at: reconciler.timeAfter(0),
      pause: 0,
      generation: 1,
      attempts: 0,
      last_error: null,
    }
    expect(await row(one.id)).toMatchObject(asked)
    await reconciler.wait(5)
    await send(one, 'second@portal.test')
    expect(await row(one.id)).toMatchObject({ ...asked, pause: -5 })
    for (const { id } of others) expect((await row(id)).deletion_asked_at).toBeNull()
  })

  test('is refused for a deleted, untagged or wrongly confirmed orphan, or if it belongs to a machine', async () => {
    await expect(send(await orphan({ gone_at: reconciler.timeAfter(0) }))).rejects.toThrow('orphan')
    const one = await orphan()
    await expect(send(one, 'root@portal.test', 'another')).rejects.toThrow(`confirm must be ${one.name}`)
    await expect(send(await orphan({ tag: null }))).rejects.toThrow('The resource has no tag of the portal')
    const place = await addTraining(app)
    const claimed = 'A machine of the portal has this resource group and name, or this tag, so it is not an orphan.'
    const id = await place.add({ place: { group: 'Labs', location: 'southindia' } })
    const { name } = await owner.selectFrom('machine').select('name').where('id', '=', id).executeTakeFirstOrThrow()
    await expect(send(await orphan({ name }))).rejects.toThrow(claimed)
    await expect(send(await orphan({ tag: id.toUpperCase() }))).rejects.toThrow(claimed)
    // Terminated machines, and machines with this name in another group, do not count.
    await send(await orphan({ name, place_group: 'others' }))
    const over = { desired: 'gone', observed: 'absent', admin_password: null, reconcile_at: null } as const
    await send(await orphan({ tag: await place.add({ ...over, terminated_at: reconciler.timeAfter(-9) }) }))
  })
})

describe('deletion of an orphan', () => {
  const ASKED = { deletion_asked_by: 'root@portal.test', deletion_asked_at: new Date(0) }

  test.each([
    ['machine', 10],
    ['parts', 2],
  ] as const)('continues while its %s exists', async (remaining, pause) => {
    const one = await orphan(ASKED)
    Object.assign(cloud, { remaining })
    expect(await turn(one)).toMatchObject({ asked: ['delete'], pause, deleted_at: null, gone_at: null })
  })

  test('finishes when nothing remains, and audits who requested it', async () => {
    const [one, earlier] = [await orphan(ASKED), await orphan({ ...ASKED, gone_at: reconciler.timeAfter(-9) })]
    const over = { asked: ['delete'], pause: null, deleted_at: reconciler.timeAfter(0) }
    expect(await turn(one)).toMatchObject({ ...over, gone_at: reconciler.timeAfter(0) })
    expect(await turn(earlier)).toMatchObject({ ...over, gone_at: reconciler.timeAfter(-9) })
    const { rows } = await sql<object>`
      select call, actor_email, detail from audit where request_id = ${one.id}`.execute(owner)
    expect(rows).toEqual([
      {
        call: 'cost.orphanDeleted',
        actor_email: 'root@portal.test',
        detail: { provider: 'azure', group: 'labs', machine: one.name, tag: one.tag },
      },
    ])
    expect(await turn(one)).toMatchObject({ asked: [], pause: null })
  })

  test('does not start without a request or if a machine now has the tag', async () => {
    expect(await turn(await orphan())).toMatchObject({ asked: [], pause: null })
    const claimed = await orphan({ ...ASKED, tag: await (await addTraining(app)).add() })
    expect(await turn(claimed)).toMatchObject({
      asked: [],
      pause: null,
      deletion_asked_by: null,
      deletion_asked_at: null,
      last_error: 'A machine of the portal has this resource group and name, or this tag, so it is not an orphan.',
    })
  })
})
