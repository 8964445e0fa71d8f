import { lmsKeyContext } from './server/encryption-context.ts'
import { knownAs } from '@trainyard/users/server/address.ts'
import { type RawBuilder, sql } from 'kysely'
import { answer, answerSql, on } from '@trainyard/platform/server/core/events.ts'
import { signsInBy } from '@trainyard/users/server/sign-in-ways.ts'
import { usersSignedOut } from '@trainyard/users/server/sessions.ts'
import { passwordsChanged } from '@trainyard/users/server/store-password.ts'
import { organisationsRemoved } from '@trainyard/organisations/server/remove.ts'
import { serveLtiPages } from './server/lti-pages.ts'
import { lmsOriginsOf, registrationOriginsOf } from './server/platform.ts'
import { deleteTicketsOf } from './server/queries.ts'
import { instructorsRemoved } from '@trainyard/trainings/server/instructor.ts'
import { serverModule } from '@trainyard/platform/server/core/module.ts'
import { type PersonKeys, withoutOwner } from '@trainyard/platform/server/core/tables.ts'
import { rosterLists } from '@trainyard/rosters/server/http.ts'
import { COURSE_DUE, courseLists, readDueCourses } from './server/course-members.ts'
import { lmsHandlers } from './server/http.ts'
import { rotateKeys } from './server/keys.ts'
import { ltiLaunchHandlers } from './server/launch-http.ts'
import { deleteExpiredLaunches } from './server/launch.ts'
import { SCORE_DUE, sendDueScores } from './server/scores.ts'
import { MINUTE } from '@trainyard/platform/server/run/reconcile/task.ts'
import type { Lms } from './server/lms-provider.ts'
import { ltiLms } from './server/lti-lms.ts'
import { instrumented } from '@trainyard/platform/server/run/telemetry/instrumented.ts'

declare module '@trainyard/platform/server/core/module.ts' {
  interface CallDependencies {
    readonly lms: Lms
  }
}
declare module '@trainyard/platform/server/run/parts.ts' {
  interface WorkerDependencies {
    /** Reads the members of courses. */
    readonly lms: Lms
  }
}

/**
 * Returns the condition of a person's rows. Subjects are often small numbers: each LMS has a user 2.
 * @param platform SQL: the LMS of a row
 */
const isOwnSubject =
  (platform: RawBuilder<unknown>) =>
  ({ users }: PersonKeys) =>
    sql`(subject, ${platform}) in (
    select i.subject, p.id from lms_identity i
    join lms_platform p on p.issuer = i.issuer and p.organisation_id = i.organisation_id
    where i.user_id = any(${users}::uuid[]))`

export default serverModule({
  name: 'lti',
  requires: ['rosters', 'attendance'],
  connectCalls: ({ config, secrets }) => ({ lms: ltiLms({ ...config.lms, egress: secrets.egressProxy }) }),
  connectWorker: async ({ config, secrets, meters }) => ({
    lms: instrumented('lms', ltiLms({ ...config.lms, egress: secrets.egressProxy }), meters),
  }),
  answers: [answer(rosterLists, async () => [courseLists])],
  calls: (parts) => ({ lms: lmsHandlers(parts), ltiLaunch: ltiLaunchHandlers(parts) }),
  routes: (server, { db, lms, web, limits, diskState, admission }) =>
    serveLtiPages(server, {
      web,
      limits,
      disk: diskState,
      originsOf: (platform) => lmsOriginsOf(db, platform),
      registrationOriginsOf: (registration) => registrationOriginsOf(db, lms, registration),
      admission,
    }),
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
  sqlAnswers: [
    answerSql(
      knownAs,
      ({ users }) => sql`
        select m.name, null::text as address from lms_member m join lms_course c on c.id = m.course_id
          join lms_identity i on i.subject = m.subject
          join lms_platform p on p.issuer = i.issuer and p.organisation_id = i.organisation_id and p.id = c.platform_id
        where i.user_id in ${users}`,
    ),
    answerSql(signsInBy, ({ user, way }) =>
      way === 'system'
        ? sql<boolean>`exists (select from lms_identity l where l.user_id = ${sql.ref(`${user}.id`)})`
        : sql<boolean>`false`,
    ),
  ],
  listens: [
    on(organisationsRemoved, async (tx, organisations) => {
      await tx.deleteFrom('lms_platform').where('organisation_id', 'in', organisations).execute()
    }),
    // Completed launches would open sessions.
    on(usersSignedOut, async (tx, users) => void (await deleteTicketsOf(tx, users))),
    // A launch that was completed before an instructor was removed must not make the user an instructor again.
    on(instructorsRemoved, async (tx, users) => void (await deleteTicketsOf(tx, users))),
    // Someone who knew the former password may have linked the user to an LMS, so the user must log in before an LMS
    // signs them in again.
    on(
      passwordsChanged,
      async (tx, users) =>
        void (await tx.updateTable('lms_identity').set({ needs_login: true }).where('user_id', 'in', users).execute()),
    ),
  ],
  tables: {
    sql: new URL('tables.sql', import.meta.url),
    sealed: [{ table: 'lms_key', column: 'private_key', key: 'platform_id', context: lmsKeyContext }],
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
      lms_link: withoutOwner('resource_link_id title line_item_url score_by', 'score_problem'),
      lms_member: {
        owner: { condition: isOwnSubject(sql`(select c.platform_id from lms_course c where c.id = course_id)`) },
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
        owner: {
          condition: isOwnSubject(
            sql`(select c.platform_id from lms_link l join lms_course c on c.id = l.course_id where l.id = link_id)`,
          ),
        },
        title: 'Scores sent to an LMS',
        erase: 'delete',
        mentions: 'problem',
        other: 'subject',
      },
      lms_ticket: {
        owner: { condition: isOwnSubject(sql`platform_id`) },
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
