import { serverModule, runs } from '@trainyard/platform/server/core/module.ts'
import { deleteOldRequests } from './server/ask.ts'
import { changeRequestHandlers } from './server/http.ts'
import { requestDecided, mailDecision } from './server/jobs.ts'
import { on } from '@trainyard/platform/server/core/events.ts'
import { machineReplaced, learnerLocked } from '@trainyard/machines/server/events.ts'
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
    // A decision locks the request before the machine; the deletion of a user locks it after the user.
    on(learnerLocked, async (tx, replacing) => {
      for (const { machine } of replacing)
        await tx.selectFrom('change_request').select('id').where('machine_id', '=', machine).forUpdate().execute()
    }),
    on(machineReplaced, async (tx, replaced) => {
      for (const { from, to } of replaced)
        await tx
          .updateTable('change_request')
          .set({ machine_id: to })
          .where('machine_id', '=', from)
          .where('state', '=', 'open')
          .execute()
    }),
    on(usersMoved, async (tx, moved) => {
      const users = moved.map(({ user }) => user)
      await tx.deleteFrom('change_request').where('asked_by', 'in', users).execute()
    }),
  ],
})
