import { isUuid } from './context.ts'
import type { RosterLists } from '@trainyard/rosters/server/http.ts'
import { selectGroupsAsLists, selectGroupName, selectMembersOfList } from './queries.ts'

/** The groups of an organisation as lists of learners. Only members who are portal users are listed. */
export const groupLists: RosterLists = {
  kind: 'scim_group',

  async listsOf(db, organisation) {
    const { rows } = await selectGroupsAsLists(db, organisation)
    return rows
  },

  async membersOf(db, organisation, key) {
    if (!isUuid(key)) return null
    const { rows: groups } = await selectGroupName(db, key, organisation)
    if (groups[0] === undefined) return null
    const { rows } = await selectMembersOfList(db, key, organisation)
    return {
      name: groups[0].name,
      members: rows.map(({ id, email, name, active }) => ({ externalId: id, email, name, role: 'learner', active })),
    }
  },
}
