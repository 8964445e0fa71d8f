import { serverModule, runs } from '../../../core/module.ts'
import { deleteOldRequests } from './ask.ts'
import { changeRequestHandlers } from './http.ts'
import { requestDecided, mailDecision } from './jobs.ts'

export default serverModule({
  name: 'requests',
  calls: (parts) => ({ changeRequest: changeRequestHandlers(parts) }),
  jobs: [runs(requestDecided, mailDecision)],
  tables: {
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
})
