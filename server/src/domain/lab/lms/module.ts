import { serverModule } from '../../../core/module.ts'
import { COURSE_DUE, readDueCourses } from './course-members.ts'
import { lmsHandlers } from './http.ts'
import { rotateKeys } from './keys.ts'
import { ltiLaunchHandlers } from './launch-http.ts'
import { SCORE_DUE, sendDueScores } from './scores.ts'
import { MINUTE } from '../../../reconcile/task.ts'

export default serverModule({
  name: 'lti',
  requires: ['rosters', 'attendance'],
  calls: (parts) => ({ lms: lmsHandlers(parts), ltiLaunch: ltiLaunchHandlers(parts) }),
  tasks: (parts) => [
    {
      name: 'read LMS courses',
      every: 30,
      on: 'each',
      isDue: COURSE_DUE,
      limit: 15 * MINUTE,
      run: readDueCourses(parts),
    },
    {
      name: 'send scores to LMSs',
      every: 60,
      on: 'each',
      isDue: SCORE_DUE,
      limit: 15 * MINUTE,
      run: sendDueScores(parts),
    },
    {
      name: 'rotate LMS keys',
      every: 60 * MINUTE,
      on: 'one',
      run: (signal) => rotateKeys(parts.db, parts.seal, signal),
    },
  ],
})
