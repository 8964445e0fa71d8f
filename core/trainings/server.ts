import { sql } from 'kysely'
import { trainingEvents } from './contract/training-event.ts'
import { auditedOrganisation } from '@trainyard/platform/server/core/audit.ts'
import { answerSql, on } from '@trainyard/platform/server/core/events.ts'
import { serverModule } from '@trainyard/platform/server/core/module.ts'
import { withoutOwner } from '@trainyard/platform/server/core/tables.ts'
import { openingCalendar } from './server/calendar.ts'
import { organisationInRequest } from './server/audited-organisation.ts'
import { endInstructors } from './server/instructor.ts'
import { trainingHandlers, accessWindowHandlers } from './server/http.ts'
import { usersMoved } from '@trainyard/users/server/role.ts'

export default serverModule({
  name: 'trainings',
  calls: ({ publicUrl }) => ({
    training: trainingHandlers,
    accessWindow: accessWindowHandlers(openingCalendar(publicUrl)),
  }),
  publishes: trainingEvents,
  tables: {
    sql: new URL('tables.sql', import.meta.url),
    personal: {
      training: withoutOwner('name'),
      training_instructor: {
        owner: { user: 'user_id' },
        title: 'Trainings led',
        erase: 'delete',
        mentions: 'added_by',
        other: 'role',
      },
    },
  },
  sqlAnswers: [answerSql(auditedOrganisation, organisationInRequest)],
  listens: [
    on(usersMoved, async (tx, moved) => {
      const users = moved.map(({ user }) => user)
      await endInstructors(tx, sql<boolean>`user_id = any(${users}::uuid[])`)
    }),
  ],
})
