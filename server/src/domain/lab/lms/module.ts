import { serverModule } from '../../../core/module.ts'
import { withoutOwner } from '../../../core/tables.ts'
import { rosterLists } from '../roster/http.ts'
import { answer } from '../../../core/events.ts'
import { COURSE_DUE, courseLists, readDueCourses } from './course-members.ts'
import { lmsHandlers } from './http.ts'
import { rotateKeys } from './keys.ts'
import { ltiLaunchHandlers } from './launch-http.ts'
import { deleteExpiredLaunches } from './launch.ts'
import { SCORE_DUE, sendDueScores } from './scores.ts'
import { MINUTE } from '../../../reconcile/task.ts'

export default serverModule({
  name: 'lti',
  requires: ['rosters', 'attendance'],
  answers: [answer(rosterLists, async () => [courseLists])],
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
  tables: {
    personal: {
      lms_course: withoutOwner('deployment_id context_id title memberships_url', 'roster_problem'),
      lms_deployment: withoutOwner('deployment_id'),
      lms_identity: {
        owner: { user: 'user_id' },
        title: 'Accounts at an LMS',
        erase: 'delete',
        other: 'issuer subject',
      },
      lms_key: withoutOwner('modulus exponent', '', 'private_key'),
      lms_launch: withoutOwner('', '', 'state_hash proof_hash'),
      lms_link: withoutOwner('resource_link_id title line_item_url', 'score_problem'),
      lms_member: {
        owner: { lmsSubject: 'subject', lmsOf: 'course_id' },
        title: 'Courses at an LMS',
        erase: 'delete',
        mentions: 'name',
        other: 'subject role',
      },
      lms_platform: withoutOwner(
        'name issuer client_id authorization_url token_url token_audience key_set_url frame_origin',
        '',
        'registration_hash',
      ),
      lms_score: {
        owner: { lmsSubject: 'subject', lmsOf: 'link_id' },
        title: 'Scores sent to an LMS',
        erase: 'delete',
        mentions: 'problem',
        other: 'subject',
      },
      lms_ticket: {
        owner: { lmsSubject: 'subject', lmsOf: 'platform_id' },
        title: 'Launches from an LMS',
        erase: 'delete',
        ifMentioned: 'delete',
        mentions: 'name email return_url return_data',
        secrets: 'token_hash proof_hash',
        other: 'issuer subject view',
      },
    },
    expire: [deleteExpiredLaunches],
  },
})
