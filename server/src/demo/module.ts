import { EMULATOR_CALLS } from '@trainyard/contract/words/demo-class.ts'
import { answer } from '../core/events.ts'
import { unavailableCalls } from '../domain/people/user/session-http.ts'
import { serverModule } from '../core/module.ts'
import { demoOnFirstStart } from './first-start.ts'
import { firstStepsHandlers } from '../domain/home/first-steps.ts'

export default serverModule({
  name: 'demo',
  requires: ['als-import', 'lti', 'sso'],
  prepareStart: demoOnFirstStart,
  answers: [answer(unavailableCalls, async (_db, { emulated }) => (emulated ? [] : [...EMULATOR_CALLS]))],
  calls: ({ seal, jobs, azure }) => ({ firstSteps: firstStepsHandlers({ seal, jobs, emulated: azure.emulated }) }),
})
