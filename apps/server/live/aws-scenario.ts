import { randomUUID } from 'node:crypto'
import { paise } from '@trainyard/platform/contract/words/money.ts'
import { makePassword } from '@trainyard/machines/server/credentials.ts'
import type { AwsUsers } from '@trainyard/sandbox-aws/server/aws-users.ts'
import { removeAwsUser } from './clean-up.ts'
import { type Scenario, ScenarioError, type ScenarioContext } from './scenario.ts'
import { until, retryUntilAccepted } from './polling.ts'

export interface AwsScenarioOptions {
  readonly aws: AwsUsers | null
  readonly pollMs: number
  readonly lag: number
}

const LIMIT_MS = 600_000

/** Runs in the portal's own account at no cost, because leased accounts may be in use. */
export function awsScenario({ aws, pollMs, lag }: AwsScenarioOptions): Scenario {
  return {
    name: 'An AWS lab user',
    maxCost: paise(0),
    limitMs: LIMIT_MS,
    skipReason: aws === null ? 'AWS_LAB_ACCESS_KEY_ID is not set: there are no AWS lab users.' : null,
    async run({ signal, journal, step }: ScenarioContext) {
      if (aws === null) return
      const polling = { signal, pollMs, lag }
      const id = randomUUID()
      const item = { kind: 'awsUser', id, username: `live-${id.slice(-12)}` } as const
      const user = { ...item, account: null, until: new Date(Date.now() + LIMIT_MS) }
      const seen = (state: 'existing' | 'absent') =>
        until(`the user was ${state}`, polling, async () => {
          const found = await aws.getState(user, signal)
          return found.state === state ? found : null
        })
      journal.recordBeforeCreate(item)
      const since = Date.now()
      await step('create the user, with limits and an end', async () => {
        await retryUntilAccepted('the user', polling, () => aws.create({ ...user, password: makePassword() }, signal))
        const found = await seen('existing')
        if (!('secured' in found) || !found.secured) throw new ScenarioError('The user was created without its limits.')
      })
      await step('block the user', () => retryUntilAccepted('blocking', polling, () => aws.block(user, signal)))
      await step('delete the user', async () => {
        await removeAwsUser(item, aws, since, polling)
        await seen('absent')
        journal.recordDeleted(item)
      })
    },
  }
}
