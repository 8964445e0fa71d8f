import { on } from '../../../core/events.ts'
import { serverModule } from '../../../core/module.ts'
import { apiKeyHandlers } from './http.ts'
import { usersMoved } from '../user/role.ts'

export default serverModule({
  name: 'api-keys',
  calls: (parts) => ({ apiKey: apiKeyHandlers(parts) }),
  listens: [
    // If the user returns later, the old keys must not become valid again.
    on(usersMoved, async (tx, moved) => {
      const users = moved.map(({ user }) => user)
      await tx.deleteFrom('api_key').where('user_id', 'in', users).execute()
    }),
  ],
})
