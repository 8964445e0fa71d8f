import type { ScimGroupId } from '@trainyard/platform/contract/words/ids.ts'
import type { Tx } from '@trainyard/platform/server/db/schema.ts'
import { applyRoster, lockRoster, rostersOf } from '@trainyard/rosters/server/apply.ts'
import type { ScimContext } from './context.ts'
import { groupLists } from './roster-lists.ts'

/** Returns the groups of a user, in the order in which they must be locked. */
export async function groupsOfUser(
  tx: Tx,
  { organisation }: Pick<ScimContext, 'organisation'>,
  user: string,
): Promise<ScimGroupId[]> {
  const rows = await tx
    .selectFrom('scim_group_member')
    .select('group_id')
    .where('organisation_id', '=', organisation.id)
    .where('value', '=', user)
    .orderBy('group_id')
    .execute()
  return rows.map(({ group_id }) => group_id)
}

/**
 * Locks the rosters of the groups. Call it before taking other locks, because a worker that orders machines locks the
 * roster first.
 */
export async function lockRostersOf(
  tx: Tx,
  { organisation }: Pick<ScimContext, 'organisation'>,
  groups: readonly ScimGroupId[],
): Promise<void> {
  for (const group of groups) {
    for (const roster of await rostersOf(tx, organisation.id, 'scim_group', group)) await lockRoster(tx, roster)
  }
}

/** Applies the members of groups to the trainings that follow them. A deleted group has no members. */
export async function applyRostersOf(
  tx: Tx,
  { organisation, jobs }: Pick<ScimContext, 'organisation' | 'jobs'>,
  groups: readonly ScimGroupId[],
): Promise<void> {
  for (const group of groups) {
    const rosters = await rostersOf(tx, organisation.id, 'scim_group', group)
    if (rosters.length === 0) continue
    const list = await groupLists.membersOf(tx, organisation.id, group)
    for (const roster of rosters) {
      await applyRoster(tx, jobs, roster, list?.members ?? [])
      if (list !== null) await tx.updateTable('roster').set({ name: list.name }).where('id', '=', roster).execute()
    }
  }
}
