import { on } from '../../../core/events.ts'
import { serverModule } from '../../../core/module.ts'
import { openingCalendar } from '../calendar/feed.ts'
import { trainingHandlers, accessWindowHandlers } from './http.ts'
import { usersMoved } from '../../people/user/role.ts'

export default serverModule({
  name: 'trainings',
  calls: ({ publicUrl }) => ({
    training: trainingHandlers,
    accessWindow: accessWindowHandlers(openingCalendar(publicUrl)),
  }),
  listens: [
    on(usersMoved, async (tx, moved) => {
      const users = moved.map(({ user }) => user)
      await tx.deleteFrom('training_instructor').where('user_id', 'in', users).execute()
    }),
  ],
})
