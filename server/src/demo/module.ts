import { serverModule } from '../core/module.ts'
import { demoOnFirstStart } from './first-start.ts'
import { firstStepsHandlers } from '../domain/home/first-steps.ts'

export default serverModule({
  name: 'demo',
  requires: ['als-import', 'lti', 'sso'],
  prepareStart: demoOnFirstStart,
  calls: ({ seal, jobs, azure }) => ({ firstSteps: firstStepsHandlers({ seal, jobs, emulated: azure.emulated }) }),
})
