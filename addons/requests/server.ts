import { serverModule, runs } from '@trainyard/platform/server/core/module.ts'
import { deleteOldRequests } from './server/ask.ts'
import { changeRequestHandlers } from './server/http.ts'
import { requestDecided, mailDecision } from './server/jobs.ts'
import { on } from '@trainyard/platform/server/core/events.ts'
import { usersMoved } from '@trainyard/users/server/role.ts'

export default serverModule({
  name: 'requests',
  calls: (parts) => ({ changeRequest: changeRequestHandlers(parts) }),
  jobs: [runs(requestDecided, mailDecision)],
  tables: {
    sql: new URL('tables.sql', import.meta.url),
    personal: {
      change_request: {
        owner: { user: 'asked_by' },
        title: 'Requests',
        erase: 'delete',
        mentions: 'email reason decided_by answer',
        other: 'kind state',
      },
    },
    expire: [deleteOldRequests],
  },
  listens: [
    on(usersMoved, async (tx, moved) => {
      const users = moved.map(({ user }) => user)
      await tx.deleteFrom('change_request').where('asked_by', 'in', users).execute()
    }),
  ],
})
