import { serverModule, runs } from '../../../core/module.ts'
import { changeRequestHandlers } from './http.ts'
import { requestDecided, mailDecision } from './jobs.ts'

export default serverModule({
  name: 'requests',
  calls: (parts) => ({ changeRequest: changeRequestHandlers(parts) }),
  jobs: [runs(requestDecided, mailDecision)],
})
