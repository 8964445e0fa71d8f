import { EMULATOR_CALLS } from './contract/demo-class.ts'
import { answer } from '@trainyard/platform/server/core/events.ts'
import { unavailableCalls } from '@trainyard/users/server/session-http.ts'
import { serverModule } from '@trainyard/platform/server/core/module.ts'
import { demoOnFirstStart } from './server/first-start.ts'
import { firstStepsHandlers } from './server/first-steps.ts'

export default serverModule({
  name: 'demo',
  requires: ['als-import', 'lti', 'lxd', 'sso', 'invoices', 'set-up'],
  prepareStart: demoOnFirstStart,
  answers: [answer(unavailableCalls, async (_db, { emulated }) => (emulated ? [] : [...EMULATOR_CALLS]))],
  calls: ({ seal, jobs, azure }) => ({ firstSteps: firstStepsHandlers({ seal, jobs, emulated: azure.emulated }) }),
})
