import { ALERTS } from '@trainyard/contract/words/problems.ts'
import type { HandlersOf } from '../../../http/handler.ts'
import { absent } from '../../../http/problem.ts'
import { createLabUser, type LabUserParts } from './create-user.ts'
import { userView } from './view.ts'
import { endUsers } from './wake.ts'

/** Lab users that one answer holds, the newest first. */
const USERS_LISTED = 5_000

export const sandboxUserHandlers = (parts: LabUserParts): HandlersOf<'sandboxUser'> => ({
  async list(db) {
    const users = await db
      .selectFrom('azure_user')
      .selectAll()
      .where('ended_at', 'is', null)
      .orderBy('start_at', 'desc')
      .orderBy('id')
      .limit(USERS_LISTED)
      .execute()
    const sandboxes = await db
      .selectFrom('sandbox')
      .selectAll()
      .where('ended_at', 'is', null)
      .orderBy('created_at', 'desc')
      .execute()
    const byUser = Map.groupBy(sandboxes, ({ azure_user_id }) => azure_user_id)
    return { users: users.map((user) => userView(user, byUser.get(user.id) ?? [])) }
  },

  async create(tx, { body }) {
    await createLabUser(tx, body, parts)
    return { message: ALERTS.userCreated }
  },

  async remove(tx, { body }) {
    const user = await tx
      .selectFrom('azure_user')
      .select(['id'])
      .where('email', '=', body.email)
      .where('ended_at', 'is', null)
      .executeTakeFirst()
    if (user === undefined) throw absent('user')
    await endUsers(tx, [user.id])
    return { message: ALERTS.userDeleted(body.email) }
  },
})
