import { ALERTS } from '@trainyard/platform/contract/words/problems.ts'
import type { HandlersOf } from '@trainyard/platform/server/core/handler.ts'
import { findLabUser, existingLabUsers } from '@trainyard/lab-users/server/lab-users.ts'
import { endedLabUsers } from '@trainyard/lab-users/server/renew.ts'
import { renewAwsUser } from './renew-user.ts'
import { type AwsLabDependencies, createAwsUser } from './create-user.ts'
import { awsUserView } from './view.ts'
import { endAwsUsers } from './wake.ts'

export const awsUserHandlers = (parts: AwsLabDependencies): HandlersOf<'awsUser'> => ({
  async list(db) {
    const users = await existingLabUsers(db, 'aws_user')
    return { users: users.map(awsUserView) }
  },

  async create(tx, { body }) {
    await createAwsUser(tx, body, parts)
    return { message: ALERTS.userCreated }
  },

  async renew(tx, { body }) {
    return { message: await renewAwsUser(tx, body, parts) }
  },

  ended: (db) => endedLabUsers(db, 'aws_user'),

  async remove(tx, { body }) {
    await endAwsUsers(tx, [await findLabUser(tx, 'aws_user', body.email)])
    return { message: ALERTS.userDeleted(body.email) }
  },
})
