import { serverModule } from '../../../core/module.ts'
import { lmsHandlers } from './http.ts'
import { ltiLaunchHandlers } from './launch-http.ts'

export default serverModule({
  name: 'lti',
  requires: ['rosters', 'attendance'],
  calls: (parts) => ({ lms: lmsHandlers(parts), ltiLaunch: ltiLaunchHandlers(parts) }),
})
