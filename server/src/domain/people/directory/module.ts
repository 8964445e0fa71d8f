import { rosterLists } from '../../lab/roster/http.ts'
import { groupLists } from './roster-lists.ts'
import { answer, on } from '../../../core/events.ts'
import { serverModule } from '../../../core/module.ts'
import { withoutOwner } from '../../../core/tables.ts'
import { scimHandlers } from './http.ts'
import { serveScim } from '../../../scim/serve.ts'
import { usersMoved } from '../user/role.ts'

export default serverModule({
  name: 'scim',
  requires: ['rosters'],
  answers: [answer(rosterLists, async () => [groupLists])],
  calls: (parts) => ({ scim: scimHandlers(parts) }),
  tables: {
    personal: {
      scim_group: withoutOwner('display_name external_id role'),
      scim_group_member: {
        owner: { scimUser: 'value' },
        title: 'Groups of the organisation’s directory',
        erase: 'delete',
        mentions: 'display',
        other: 'value',
      },
      scim_token: withoutOwner('prefix name used_address', 'created_by', 'token_hash'),
      scim_user: {
        owner: { user: 'user_id' },
        title: 'Record of the organisation’s directory',
        erase: 'delete',
        ifMentioned: 'delete',
        mentions: 'user_name external_id emails data',
      },
    },
  },
  routes: serveScim,
  listens: [
    // A user who moves to another organisation is no longer controlled by the directory of the first one.
    on(usersMoved, async (tx, moved) => {
      const users = moved.filter(({ leavesOrganisation }) => leavesOrganisation).map(({ user }) => user)
      if (users.length > 0)
        await tx.updateTable('scim_user').set({ user_id: null }).where('user_id', 'in', users).execute()
    }),
  ],
})
