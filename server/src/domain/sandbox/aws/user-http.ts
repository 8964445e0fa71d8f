import { ALERTS } from '@trainyard/contract/words/problems.ts'
import type { HandlersOf } from '../../../http/handler.ts'
import { absent } from '../../../http/problem.ts'
import { type AwsLabParts, createAwsUser } from './create-user.ts'
import { awsUserView } from './view.ts'
import { endAwsUsers } from './wake.ts'

/** Lab users that one answer holds, the newest first. */
const USERS_LISTED = 5_000

export const awsUserHandlers = (parts: AwsLabParts): HandlersOf<'awsUser'> => ({
  async list(db) {
    const users = await db
      .selectFrom('aws_user')
      .selectAll()
      .where('ended_at', 'is', null)
      .orderBy('start_at', 'desc')
      .orderBy('id')
      .limit(USERS_LISTED)
      .execute()
    return { users: users.map(awsUserView) }
  },

  async create(tx, { body }) {
    await createAwsUser(tx, body, parts)
    return { message: ALERTS.userCreated }
  },

  async remove(tx, { body }) {
    const user = await tx
      .selectFrom('aws_user')
      .select('id')
      .where('email', '=', body.email)
      .where('ended_at', 'is', null)
      .executeTakeFirst()
    if (user === undefined) throw absent('user')
    await endAwsUsers(tx, [user.id])
    return { message: ALERTS.userDeleted(body.email) }
  },
})
