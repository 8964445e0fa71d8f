import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { PEOPLE } from '@trainyard/platform/test/world.ts'
import { createSubjects } from './world.ts'
import { sharedPortal } from '@trainyard/platform/test/shared.ts'

const portal = await sharedPortal()
const { own, foreign } = await createSubjects(portal)
const root = await portal.sessionOf(PEOPLE.superadmin)

test('deletes the data of add-ons of a removed organisation and no data of other organisations', async () => {
  const tables = [
    'portal_user',
    'identity_provider',
    'organisation_domain',
    'organisation_logo',
    'template_assignment',
    'lab_import',
  ] as const
  const logo = { type: 'image/png', bytes: Buffer.from('image'), digest: Buffer.alloc(32, 1) } as const
  for (const { organization } of [own, foreign]) {
    const of = portal.owner.selectFrom('organisation').where('name', '=', organization)
    const { id: organisation_id } = await of.select('id').executeTakeFirstOrThrow()
    await portal.owner
      .insertInto('organisation_logo')
      .values({ organisation_id, ...logo })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
    await sql`
      insert into lab_import (organisation_id, kind, name, tenant_id, client_id, client_secret, made_by)
      values (${organisation_id}, 'azure', 'Subscription', 'tenant', 'client', 'sealed', 'admin')`.execute(portal.owner)
  }
  const rows = async () => {
    const counts = tables.map(
      (table) => sql`select ${table}::text as of, o.name, count(*)::int from ${sql.table(table)} t
        left join organisation o on o.id = t.organisation_id group by o.name`,
    )
    return (await sql<{ of: string; name: string | null }>`${sql.join(counts, sql` union all `)}`.execute(portal.owner))
      .rows
  }
  const remove = async () => {
    const reply = await portal.request('DELETE', '/admin/organization', {
      uid: root,
      body: { organization: foreign.organization },
    })
    return { status: reply.status, message: ((await reply.json()) as { message: string }).message }
  }
  expect(await remove()).toEqual({
    status: 409,
    message: `${foreign.organization} still has a live machine. Delete its trainings first.`,
  })
  await sql`update machine set desired = 'gone', observed = 'absent', admin_password = null,
    reconcile_at = null, terminated_at = portal_now()
    where name = ${foreign.machine.name}`.execute(portal.owner)
  const before = await rows()
  expect(before.filter(({ name }) => name === foreign.organization)).toHaveLength(tables.length)
  expect(await remove()).toEqual({ status: 200, message: `Organisation ${foreign.organization} deleted.` })
  const remaining = before.filter(({ name }) => name !== foreign.organization)
  expect(remaining.filter(({ name }) => name === own.organization)).toHaveLength(tables.length)
  expect(await rows()).toEqual(expect.arrayContaining(remaining))
  expect(await rows()).toHaveLength(remaining.length)
  const ended = await portal.owner
    .selectFrom('organisation')
    .select('name')
    .where('removed_at', 'is not', null)
    .execute()
  expect(ended).toEqual([{ name: foreign.organization }])
})
