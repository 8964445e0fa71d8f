import { ALERTS } from '@trainyard/platform/contract/words/problems.ts'
import type { HandlersOf } from '@trainyard/platform/server/core/handler.ts'
import type { LabUserDependencies } from '@trainyard/lab-users/server/add-lab-user.ts'
import { findLabUser, existingLabUsers } from '@trainyard/lab-users/server/lab-users.ts'
import { endedLabUsers } from '@trainyard/lab-users/server/renew.ts'
import { accessPassHandlers } from './access-pass.ts'
import { createAzureUser } from './create-user.ts'
import { renewAzureUser } from './renew-user.ts'
import { userView } from './view.ts'
import { endAzureUsers } from './wake.ts'

export const sandboxUserHandlers = (parts: LabUserDependencies): HandlersOf<'sandboxUser'> => ({
  async list(db) {
    const users = await existingLabUsers(db, 'azure_user')
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
    await createAzureUser(tx, body, parts)
    return { message: ALERTS.userCreated }
  },

  async renew(tx, { body }) {
    return { message: await renewAzureUser(tx, body, parts) }
  },

  ended: (db) => endedLabUsers(db, 'azure_user'),

  async remove(tx, { body }) {
    await endAzureUsers(tx, [await findLabUser(tx, 'azure_user', body.email)])
    return { message: ALERTS.userDeleted(body.email) }
  },

  ...accessPassHandlers(parts.seal),
})
