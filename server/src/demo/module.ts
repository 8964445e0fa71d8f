import { serverModule } from '../core/module.ts'
import { firstStepsHandlers } from '../domain/home/first-steps.ts'

export default serverModule({
  name: 'demo',
  requires: ['als-import', 'lti', 'sso'],
  calls: ({ seal, jobs, azure }) => ({ firstSteps: firstStepsHandlers({ seal, jobs, emulated: azure.emulated }) }),
})
