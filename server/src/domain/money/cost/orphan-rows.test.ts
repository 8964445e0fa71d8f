import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { sharedPortal } from '#test/shared.ts'
import { makePlace, type ToldCloud, toldCloud } from '#test/told-machines.ts'
import { type Turns, turnsOf } from '#test/turn.ts'
import type { Actor } from '../../../core/actor.ts'
import type { OrphanRow } from '../../../db/schema/machine.ts'
import { askDeletion, orphanKind } from './orphan.ts'

const portal = await sharedPortal()
const { app, owner } = portal
const by = (email: string) => ({ email }) as Actor

let turns: Turns
let cloud: ToldCloud
let named = 0

beforeEach(async () => {
  turns = await turnsOf(portal)
  cloud = toldCloud(turns.after(0))
})

async function orphan(more: Partial<OrphanRow> = {}): Promise<OrphanRow> {
  const seen = { first_seen_at: turns.after(-60), last_seen_at: turns.after(0) }
  return owner
    .insertInto('orphan')
    .values({ resource_group: 'labs', name: `orphan-${++named}`, tag: randomUUID(), ...seen, ...more })
    .returningAll()
    .executeTakeFirstOrThrow()
}
const row = (id: string) => turns.row<OrphanRow>('orphan', id)
const ask = ({ resource_group, name }: OrphanRow, email = 'root@portal.test', confirm = name) =>
  owner
    .transaction()
    .execute((tx) => askDeletion(tx, by(email), { resourceGroup: resource_group.toUpperCase(), name, confirm }))
const turn = async ({ id }: OrphanRow) => ({
  ...(await turns.turn(orphanKind({ db: app.db, cloud }), id)),
  asked: cloud.asked.splice(0),
})

describe('to delete an orphan', () => {
  test('is asked once, of that one alone, whatever failed before', async () => {
    const one = await orphan({ attempts: 2, last_error: 'No.' })
    const others = [await orphan(), await orphan({ name: one.name, resource_group: 'elsewhere' })]
    await ask(one)
    const asked = {
      deletion_asked_by: 'root@portal.test',
      deletion_asked_at: turns.after(0),
      pause: 0,
      generation: 1,
      attempts: 0,
      last_error: null,
    }
    expect(await row(one.id)).toMatchObject(asked)
    await turns.wait(5)
    await ask(one, 'second@portal.test')
    expect(await row(one.id)).toMatchObject({ ...asked, pause: -5 })
    for (const { id } of others) expect((await row(id)).deletion_asked_at).toBeNull()
  })

  test('is refused of what is gone or named wrongly, carries no tag, or is a machine of the portal', async () => {
    await expect(ask(await orphan({ gone_at: turns.after(0) }))).rejects.toThrow('orphan')
    const one = await orphan()
    await expect(ask(one, 'root@portal.test', 'another')).rejects.toThrow(`confirm must be ${one.name}`)
    await expect(ask(await orphan({ tag: null }))).rejects.toThrow('It carries no id of the portal')
    const place = await makePlace(app)
    const claimed = 'A machine of the portal has this place or this tag: it is no orphan.'
    const id = await place.add({ resource_group: 'Labs' })
    const { name } = await owner.selectFrom('machine').select('name').where('id', '=', id).executeTakeFirstOrThrow()
    await expect(ask(await orphan({ name }))).rejects.toThrow(claimed)
    await expect(ask(await orphan({ tag: id.toUpperCase() }))).rejects.toThrow(claimed)
    // One that is over claims nothing, nor one of that name in another group.
    await ask(await orphan({ name, resource_group: 'others' }))
    const over = { desired: 'gone', observed: 'absent', admin_password: null, reconcile_at: null } as const
    await ask(await orphan({ tag: await place.add({ ...over, terminated_at: turns.after(-9) }) }))
  })
})

describe('the deletion of an orphan', () => {
  const ASKED = { deletion_asked_by: 'root@portal.test', deletion_asked_at: new Date(0) }

  test.each([
    ['machine', 10],
    ['parts', 2],
  ] as const)('goes on while its %s stands', async (remaining, pause) => {
    const one = await orphan(ASKED)
    Object.assign(cloud, { remaining })
    expect(await turn(one)).toMatchObject({ asked: ['delete'], pause, deleted_at: null, gone_at: null })
  })

  test('is over when nothing is left, and the audit names who wanted it', async () => {
    const [one, earlier] = [await orphan(ASKED), await orphan({ ...ASKED, gone_at: turns.after(-9) })]
    const over = { asked: ['delete'], pause: null, deleted_at: turns.after(0) }
    expect(await turn(one)).toMatchObject({ ...over, gone_at: turns.after(0) })
    expect(await turn(earlier)).toMatchObject({ ...over, gone_at: turns.after(-9) })
    const { rows } = await sql<object>`
      select call, actor_email, detail from audit where request_id = ${one.id}`.execute(owner)
    expect(rows).toEqual([
      {
        call: 'cost.orphanDeleted',
        actor_email: 'root@portal.test',
        detail: { resourceGroup: 'labs', machine: one.name, tag: one.tag },
      },
    ])
    expect(await turn(one)).toMatchObject({ asked: [], pause: null })
  })

  test('is not begun where nobody asked for it, or a machine claims it by now', async () => {
    expect(await turn(await orphan())).toMatchObject({ asked: [], pause: null })
    const claimed = await orphan({ ...ASKED, tag: await (await makePlace(app)).add() })
    expect(await turn(claimed)).toMatchObject({
      asked: [],
      pause: null,
      deletion_asked_by: null,
      deletion_asked_at: null,
      last_error: 'A machine of the portal has this place or this tag: it is no orphan.',
    })
  })
})
