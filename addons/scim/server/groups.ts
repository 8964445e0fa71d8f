import { type RawBuilder, sql } from 'kysely'
import type { ScimGroupId } from '@trainyard/platform/contract/words/ids.ts'
import type { Db, Tx } from '@trainyard/platform/server/db/schema.ts'
import { isUuid, type ScimContext } from './context.ts'
import type { Json } from './filter.ts'
import { applyRostersOf, lockRostersOf } from './group-rosters.ts'
import { type ListRequest, needs, type Projection } from './list.ts'
import { normaliseResource, type Resource } from './normalise.ts'
import { applyPatch } from './patch.ts'
import { applyGroupRoles } from './group-levels.ts'
import {
  insertGroup,
  updateGroup,
  selectMembersOfGroups,
  upsertGroupMembers,
  deleteGroupMembers,
  type GroupRow,
  GROUP_COLUMNS,
  type Member,
  type GivenMember,
} from './queries.ts'
import { badRequest, noResource, notUnique, ScimError } from './scim-error.ts'
import { DISPLAY_MAX, GROUP_SCHEMA, GROUPS } from './schemas.ts'
import { listPage } from './page.ts'
import { requireVersion, versionOf } from './version.ts'

const GROUPS_MAX = 10_000
const MEMBERS_MAX = 20_000
const VALUE_MAX = 255

/** A change of a group, with the resource before and after, the numbers of members, and the changed access levels. */
export interface GroupChange {
  readonly before: Json | null
  readonly after: Json | null
  readonly added: number
  readonly removed: number
  readonly roles: Awaited<ReturnType<typeof applyGroupRoles>>
}

export async function createGroup(tx: Tx, context: ScimContext, body: unknown): Promise<GroupChange> {
  const data = withName(normaliseResource(GROUPS, body))
  const { organisation } = context
  const { count } = await tx
    .selectFrom('scim_group')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('organisation_id', '=', organisation.id)
    .executeTakeFirstOrThrow()
  if (count >= GROUPS_MAX) throw new ScimError(403, null, `An organisation has at most ${GROUPS_MAX} groups.`)
  const { rows } = await insertGroup(tx, organisation.id, data['displayName'], data['externalId'] ?? null)
  const row = rows[0]
  if (row === undefined) throw takenName(data)
  const changed = await storeMembers(tx, context, row.id, [], membersIn(data))
  return {
    before: null,
    after: groupResource(context, row, await membersOf(tx, context, row.id)),
    ...changed,
    roles: [],
  }
}

export async function readGroup(db: Db, context: ScimContext, id: string, projection: Projection): Promise<Json> {
  const row = await findGroup(db, context, id)
  return groupResource(context, row, needs(projection, 'members') ? await membersOf(db, context, row.id) : [])
}

export function replaceGroup(
  tx: Tx,
  context: ScimContext,
  id: string,
  body: unknown,
  ifMatch: string | undefined,
): Promise<GroupChange> {
  const replaced = normaliseResource(GROUPS, body)
  return changeGroup(tx, context, id, ifMatch, () => replaced)
}

export const patchGroup = (
  tx: Tx,
  context: ScimContext,
  id: string,
  body: unknown,
  ifMatch: string | undefined,
): Promise<GroupChange> => changeGroup(tx, context, id, ifMatch, (data) => applyPatch(GROUPS, data, body))

async function changeGroup(
  tx: Tx,
  context: ScimContext,
  id: string,
  ifMatch: string | undefined,
  change: (data: Resource) => Resource,
): Promise<GroupChange> {
  if (isUuid(id)) await lockRostersOf(tx, context, [id.toLowerCase() as ScimGroupId])
  const row = await findGroup(tx, context, id, sql`for update`)
  requireVersion(ifMatch, row.version)
  const currentMembers = await membersOf(tx, context, row.id)
  const before = dataOf(row, currentMembers)
  const data = withName(change(before))
  const members = membersIn(data)
  const changed = await storeMembers(tx, context, row.id, currentMembers, members)
  const isRenamed =
    data['displayName'] !== row.display_name || (data['externalId'] ?? null) !== (row.external_id ?? null)
  const isChanged = isRenamed || changed.added + changed.removed + changed.relabelled > 0
  const stored = isChanged ? await storeGroup(tx, row, data) : row
  const affected = changed.values
  const roles = affected.length > 0 ? await applyGroupRoles(tx, context, affected) : []
  if (isChanged) await applyRostersOf(tx, context, [row.id])
  return {
    before: groupResource(context, row, currentMembers),
    after: groupResource(context, stored, await membersOf(tx, context, row.id)),
    added: changed.added,
    removed: changed.removed,
    roles,
  }
}

async function storeGroup(tx: Tx, row: GroupRow, data: Resource): Promise<GroupRow> {
  const { rows } = await updateGroup(tx, data['displayName'], data['externalId'] ?? null, row.id).catch(
    (error: { code?: string }) => {
      if (error.code === '23505') throw takenName(data)
      throw error
    },
  )
  return rows[0]!
}

export async function deleteGroup(
  tx: Tx,
  context: ScimContext,
  id: string,
  ifMatch: string | undefined,
): Promise<GroupChange> {
  if (isUuid(id)) await lockRostersOf(tx, context, [id.toLowerCase() as ScimGroupId])
  const row = await findGroup(tx, context, id, sql`for update`)
  requireVersion(ifMatch, row.version)
  const currentMembers = await membersOf(tx, context, row.id)
  await tx.deleteFrom('scim_group').where('id', '=', row.id).execute()
  const roles =
    row.role === null
      ? []
      : await applyGroupRoles(
          tx,
          context,
          currentMembers.map(({ value }) => value),
        )
  await applyRostersOf(tx, context, [row.id])
  return { before: groupResource(context, row, []), after: null, added: 0, removed: currentMembers.length, roles }
}

/** Returns a page of the organisation's groups as a ListResponse. */
export const listGroups = (db: Db, context: ScimContext, request: ListRequest): Promise<Json> =>
  listPage<GroupRow, Member>(db, context, request, {
    table: sql`scim_group u`,
    columns: GROUP_COLUMNS,
    conditionOf: groupCondition,
    related: 'members',
    relationOf: (id) => sql`m.group_id = ${id}`,
    relatedOf: (rows, values) => membersOfAll(db, context, rows, values),
    resource: (row, members) => groupResource(context, row, members),
  })

/** Returns an indexed SQL condition for an attribute that equals a value; null if there is none. */
function groupCondition(path: string, value: string): RawBuilder<unknown> | null {
  if (path === 'displayName') return sql`lower(u.display_name) = lower(${value})`
  if (path === 'id') return isUuid(value) ? sql`u.id = ${value}` : sql`false`
  if (path === 'members.value')
    return sql`u.id in (select group_id from scim_group_member m
      where m.organisation_id = u.organisation_id and m.value = ${value})`
  return null
}

async function findGroup(
  db: Db,
  { organisation }: ScimContext,
  id: string,
  lock: RawBuilder<unknown> = sql``,
): Promise<GroupRow> {
  if (!isUuid(id)) throw noResource(id.slice(0, 100))
  const { rows } = await sql<GroupRow>`
    select ${GROUP_COLUMNS} from scim_group u where u.id = ${id} and u.organisation_id = ${organisation.id} ${lock}`.execute(
    db,
  )
  if (rows[0] === undefined) throw noResource(id)
  return rows[0]
}

async function membersOfAll(
  db: Db,
  { organisation }: Pick<ScimContext, 'organisation'>,
  groups: readonly { readonly id: ScimGroupId }[],
  values: readonly string[] | null = null,
): Promise<Map<string, Member[]>> {
  if (groups.length === 0) return new Map()

  const { rows } = await selectMembersOfGroups(
    db,
    organisation.id,
    groups.map(({ id }) => id),
    values,
  )
  return Map.groupBy(rows, ({ group }) => group)
}

const membersOf = async (db: Db, context: Pick<ScimContext, 'organisation'>, id: ScimGroupId): Promise<Member[]> =>
  (await membersOfAll(db, context, [{ id }])).get(id) ?? []

/** Returns the members of a resource without duplicates. @throws ScimError invalidValue for a member without a value */
function membersIn(data: Resource): GivenMember[] {
  const list = (data['members'] as readonly Json[] | undefined) ?? []
  const members = new Map<string, GivenMember>()
  for (const { value, display } of list) {
    if (typeof value !== 'string' || value === '' || value.length > VALUE_MAX)
      throw badRequest('invalidValue', `A member needs a value of at most ${VALUE_MAX} characters.`)
    const key = isUuid(value) ? value.toLowerCase() : value
    members.set(key, { value: key, display: typeof display === 'string' ? shortened(display) : null })
  }
  if (members.size > MEMBERS_MAX) throw badRequest('invalidValue', `A group has at most ${MEMBERS_MAX} members.`)
  return [...members.values()]
}

/** Shortens a text. Counts characters as PostgreSQL does. */
const shortened = (text: string): string => [...text].slice(0, DISPLAY_MAX).join('')

/** Makes the stored members equal to `requested`. Returns the counts, and the values of added and removed members. */
async function storeMembers(
  tx: Tx,
  { organisation }: ScimContext,
  group: ScimGroupId,
  currentMembers: readonly Member[],
  requested: readonly GivenMember[],
): Promise<{ added: number; removed: number; relabelled: number; values: string[] }> {
  const known = new Map(currentMembers.map((member) => [member.value, member]))
  const listed = new Set(requested.map(({ value }) => value))
  const added = requested.filter(({ value }) => !known.has(value))
  const relabelled = requested.filter(({ value, display }) => {
    const before = known.get(value)
    return before !== undefined && display !== null && display !== before.display
  })
  const removed = currentMembers.filter(({ value }) => !listed.has(value)).map(({ value }) => value)
  const written = [...added, ...relabelled]
  if (written.length > 0) {
    await upsertGroupMembers(tx, group, organisation.id, written)
  }
  if (removed.length > 0) {
    await deleteGroupMembers(tx, group, removed)
  }
  return {
    added: added.length,
    removed: removed.length,
    relabelled: relabelled.length,
    values: [...added.map(({ value }) => value), ...removed],
  }
}

/**
 * Returns the group, or throws if it has no name.
 * @throws ScimError invalidValue
 */
function withName(data: Resource): Resource {
  const name = data['displayName']
  if (typeof name !== 'string' || name.trim() === '') throw badRequest('invalidValue', 'displayName is required.')
  return data
}

const takenName = (data: Resource) =>
  notUnique(`There is already a group with the displayName ${String(data['displayName'])}.`)

const dataOf = ({ display_name, external_id }: GroupRow, members: readonly Member[]): Resource => ({
  displayName: display_name,
  ...(external_id !== null && { externalId: external_id }),
  ...(members.length > 0 && {
    members: members.map(({ value, display }) => ({ value, ...(display !== null && { display }) })),
  }),
})

function groupResource({ base }: Pick<ScimContext, 'base'>, row: GroupRow, members: readonly Member[]): Json {
  const { id, version, created_at, changed_at } = row
  const data = dataOf(row, members)
  return {
    schemas: [GROUP_SCHEMA],
    id,
    ...data,
    ...(members.length > 0 && {
      members: members.map(({ value, display, known }) => ({
        value,
        ...(known && { $ref: `${base}/Users/${value}`, type: 'User' }),
        ...(display !== null && { display }),
      })),
    }),
    meta: {
      resourceType: 'Group',
      created: created_at.toISOString(),
      lastModified: changed_at.toISOString(),
      location: `${base}/Groups/${id}`,
      version: versionOf(version),
    },
  }
}
