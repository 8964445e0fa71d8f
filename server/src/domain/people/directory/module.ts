import { on } from '../../../core/events.ts'
import { serverModule } from '../../../core/module.ts'
import { scimHandlers } from './http.ts'
import { usersMoved } from '../user/role.ts'

export default serverModule({
  name: 'scim',
  requires: ['rosters'],
  calls: (parts) => ({ scim: scimHandlers(parts) }),
  listens: [
    // A user who moves to another organisation is no longer controlled by the directory of the first one.
    on(usersMoved, async (tx, moved) => {
      const users = moved.filter(({ leavesOrganisation }) => leavesOrganisation).map(({ user }) => user)
      if (users.length > 0)
        await tx.updateTable('scim_user').set({ user_id: null }).where('user_id', 'in', users).execute()
    }),
  ],
})
