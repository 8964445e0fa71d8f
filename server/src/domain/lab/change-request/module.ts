import { on } from '../../../core/events.ts'
import { serverModule } from '../../../core/module.ts'
import { changeRequestHandlers } from './http.ts'
import { usersMoved } from '../../people/user/role.ts'

export default serverModule({
  name: 'requests',
  calls: (parts) => ({ changeRequest: changeRequestHandlers(parts) }),
  listens: [
    on(usersMoved, async (tx, moved) => {
      const users = moved.map(({ user }) => user)
      await tx.deleteFrom('change_request').where('asked_by', 'in', users).execute()
    }),
  ],
})
