import { sql } from 'kysely'
import { usersRenamed, knownAs } from '../../people/user/address.ts'
import { updateMemberEmail } from './queries.ts'
import { serverModule } from '../../../core/module.ts'
import { withoutOwner } from '../../../core/tables.ts'
import { ROSTER } from '@trainyard/contract/words/training-roster.ts'
import { answer, answerSql, on } from '../../../core/events.ts'
import { refusedStart } from '../machine/power.ts'
import { trainingsRemoved } from '../training/existence.ts'
import { processDueMachines, ROSTER_DUE } from './due-machines.ts'
import { rosterHandlers } from './http.ts'
import { MINUTE } from '../../../reconcile/task.ts'

export default serverModule({
  name: 'rosters',
  calls: ({ jobs }) => ({ roster: rosterHandlers({ jobs }) }),
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
    on(trainingsRemoved, async (tx, trainings) => {
      await tx.deleteFrom('roster').where('training_id', 'in', trainings).execute()
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
    sql: new URL('../../../db/tables/rosters.sql', import.meta.url),
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
  answers: [
    answer(refusedStart, async (_db, machines) => {
      const withheld = machines.find(({ row }) => row.withheld_at !== null)
      return withheld === undefined ? null : ROSTER.withheld(withheld.row.name)
    }),
  ],
})
