import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { PEOPLE } from '@trainyard/platform/test/world.ts'
import { createSubjects } from '../world.ts'
import { sharedPortal } from '@trainyard/platform/test/shared.ts'

const portal = await sharedPortal()
await createSubjects(portal)

test('includes the organisation in every foreign key between tables that have one', async () => {
  // A user may have no organisation and still make calls for one.
  const { rows } = await sql<{ child: string; parent: string; holds: boolean }>`
    select c.conrelid::regclass::text as child, c.confrelid::regclass::text as parent,
      exists (select from unnest(c.conkey, c.confkey) as pair (mine, theirs)
        where mine = child.attnum and theirs = parent.attnum) as holds
    from pg_constraint c
      join pg_attribute child on child.attrelid = c.conrelid and child.attname = 'organisation_id'
      join pg_attribute parent on parent.attrelid = c.confrelid and parent.attname = 'organisation_id'
    where c.contype = 'f' and c.confrelid <> 'portal_user'::regclass`.execute(portal.owner)
  expect(rows.length).toBeGreaterThan(5)
  expect(rows.filter(({ holds }) => !holds)).toEqual([])
})

test('rejects moving a machine to another organisation than its training’s', async () => {
  const moved = sql`update machine set organisation_id = (select id from organisation where id <> machine.organisation_id limit 1)`
  await expect(moved.execute(portal.owner)).rejects.toThrow(/foreign key/)
})

test('uses the user’s current role, not the role at sign-in', async () => {
  const uid = await portal.sessionOf(PEOPLE.admin)
  const listed = async () =>
    (await portal.request('GET', '/azure/templates', { uid, query: { organization: 'own school' } })).status
  expect(await listed()).toBe(200)
  await portal.owner.updateTable('portal_user').set({ role: 'user' }).where('email', '=', PEOPLE.admin).execute()
  expect(await listed()).toBe(403)
})
