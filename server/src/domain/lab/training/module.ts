import { trainingEvents } from '@trainyard/contract/calls/training-event.ts'
import { auditedOrganisation } from '../../../core/audit.ts'
import { answerSql, on } from '../../../core/events.ts'
import { serverModule } from '../../../core/module.ts'
import { withoutOwner } from '../../../core/tables.ts'
import { openingCalendar } from '../calendar/feed.ts'
import { organisationInRequest } from './audited-organisation.ts'
import { trainingHandlers, accessWindowHandlers } from './http.ts'
import { usersMoved } from '../../people/user/role.ts'

export default serverModule({
  name: 'trainings',
  calls: ({ publicUrl }) => ({
    training: trainingHandlers,
    accessWindow: accessWindowHandlers(openingCalendar(publicUrl)),
  }),
  publishes: trainingEvents,
  tables: {
    sql: new URL('../../../db/tables/trainings.sql', import.meta.url),
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
      await tx.deleteFrom('training_instructor').where('user_id', 'in', users).execute()
    }),
  ],
})
