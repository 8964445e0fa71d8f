import { DEFAULT_TIME_ZONE } from '@trainyard/platform/contract/words/limits.ts'
import type { HandlersOf } from '@trainyard/platform/server/core/handler.ts'
import { conflict } from '@trainyard/platform/server/core/errors.ts'
import type { Seal } from '@trainyard/platform/server/run/secrets/seal.ts'
import { labUserStatus } from '@trainyard/lab-users/server/lab-user-view.ts'
import { ownLabUser } from '@trainyard/lab-users/server/lab-users.ts'

export interface AwsSandboxDependencies {
  readonly seal: Seal
  readonly consoleUrl: (account: string) => string
}

export const awsSandboxHandlers = ({ seal, consoleUrl }: AwsSandboxDependencies): HandlersOf<'awsSandbox'> => ({
  async read(db, { actor }) {
    const user = await ownLabUser(db, 'aws_user', actor)
    const account = user.ready_at === null ? null : user.aws_account
    return {
      email: user.email,
      userId: user.username,
      startDate: user.start_at.toISOString(),
      endDate: user.end_at.toISOString(),
      consoleUrl: account === null ? null : consoleUrl(account),
      ...labUserStatus(user, user.ready_at !== null),
      timeZone: DEFAULT_TIME_ZONE,
    }
  },

  async signIn(tx, { actor }) {
    const { id, username, ready_at, aws_account, first_password } = await ownLabUser(tx, 'aws_user', actor)
    if (ready_at === null || aws_account === null || first_password === null) {
      throw conflict('Your AWS user is still being created. Please try again in a minute.')
    }
    const password = seal.open(first_password, id)
    return { account: aws_account, username, password, consoleUrl: consoleUrl(aws_account) }
  },
})
