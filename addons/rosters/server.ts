import { sql } from 'kysely'
import { usersRenamed, knownAs } from '@trainyard/users/server/address.ts'
import { updateMemberEmail } from './server/queries.ts'
import { serverModule } from '@trainyard/platform/server/core/module.ts'
import { withoutOwner } from '@trainyard/platform/server/core/tables.ts'
import { ROSTER } from './contract/training-roster.ts'
import { answer, answerSql, on } from '@trainyard/platform/server/core/events.ts'
import { machineReplaced, machineReplacing } from '@trainyard/machines/server/events.ts'
import { refusedStart } from '@trainyard/machines/server/power.ts'
import { trainingsRemoved } from '@trainyard/trainings/server/existence.ts'
import { processDueMachines, ROSTER_DUE } from './server/due-machines.ts'
import { rosterHandlers } from './server/http.ts'
import { MINUTE } from '@trainyard/platform/server/run/reconcile/task.ts'

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
    // A roster is locked before the machines of its members.
    on(machineReplacing, async (tx, replacing) => {
      for (const { training } of replacing)
        await tx.selectFrom('roster').select('id').where('training_id', '=', training).forUpdate().execute()
    }),
    on(machineReplaced, async (tx, replaced) => {
      for (const { from, to } of replaced)
        await tx.updateTable('roster_member').set({ machine_id: to }).where('machine_id', '=', from).execute()
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
    sql: new URL('tables.sql', import.meta.url),
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
