import { sql } from 'kysely'
import { on, answerSql } from '../../../core/events.ts'
import { usersRenamed, knownAs } from '../../people/user/address.ts'
import { updateMemberEmail } from './queries.ts'
import { serverModule } from '../../../core/module.ts'
import { withoutOwner } from '../../../core/tables.ts'
import { courseLists } from '../lms/course-members.ts'
import { processDueMachines, ROSTER_DUE } from './due-machines.ts'
import { rosterHandlers } from './http.ts'
import { groupLists } from '../../people/directory/roster-lists.ts'
import { MINUTE } from '../../../reconcile/task.ts'

export default serverModule({
  name: 'rosters',
  calls: ({ jobs }) => ({ roster: rosterHandlers({ jobs, sources: [groupLists, courseLists] }) }),
  tasks: ({ db, seal, jobQueue: jobs }) => [
    {
      name: 'update machines of rosters',
      every: MINUTE,
      on: 'each',
      isDue: ROSTER_DUE,
      limit: 5 * MINUTE,
      run: (signal) => processDueMachines(db, { seal, jobs }, signal),
    },
  ],
  listens: [
    // The machines of the member are withheld when the person leaves, also under the new address.
    on(usersRenamed, async (tx, renamed) => {
      for (const { organisation, from, to } of renamed) await updateMemberEmail(tx, to, organisation, from)
    }),
  ],
  sqlAnswers: [
    answerSql(
      knownAs,
      ({ email, organisation }) => sql`
        select name, null::text as address from roster_member where email = ${email}
          and (${organisation}::uuid is null or organisation_id = ${organisation}::uuid)`,
    ),
  ],
  tables: {
    personal: {
      roster: withoutOwner('kind external_key machine_rule', 'name made_by'),
      roster_member: {
        owner: { address: 'email' },
        title: 'Lists of members',
        erase: 'delete',
        mentions: 'external_id email name problem',
        other: 'role',
      },
    },
  },
})
