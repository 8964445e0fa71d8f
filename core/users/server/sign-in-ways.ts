import { sql } from 'kysely'
import type { UserId } from '@trainyard/platform/contract/words/ids.ts'
import { event, hook, sqlHook } from '@trainyard/platform/server/core/events.ts'
import type { JobQueue } from '@trainyard/platform/server/run/jobs/job.ts'
import type { Actor } from '@trainyard/platform/server/core/actor.ts'

/**
 * The verified domains: SELECT statements with the columns `domain` and `organisation_id`. Only the organisation of a
 * domain adds users with its addresses.
 */
export const ownedDomains = sqlHook<null, unknown>('users.ownedDomains', (answers) =>
  answers.length === 0
    ? sql`select null::text as domain, null::uuid as organisation_id where false`
    : sql.join(answers, sql` union all `),
)

/** A way to sign in without a password: a credential of the user, the organisation's provider, or another system. */
export type SignInWay = 'credential' | 'provider' | 'system'

/** SQL: true if a user has a way to sign in. `user` is the alias of the user's row. */
export const signsInBy = sqlHook<{ readonly user: string; readonly way: SignInWay }, boolean>(
  'users.signsInBy',
  (answers) => (answers.length === 0 ? sql<boolean>`false` : sql<boolean>`(${sql.join(answers, sql` or `)})`),
)

/** A further step after a correct password. The answer throws the Problem that asks for it. */
export const nextStep = hook<
  {
    readonly actor: Actor
    readonly passwordHash: string
    readonly userAgent: string | undefined
    readonly publicUrl: string
  },
  null
>('users.nextStep', null, () => null)

/** True for a user who needs more than a password to sign in. */
export const needsNextStep = hook<UserId, boolean>('users.needsNextStep', false, (first, second) => first || second)

/**
 * A user whom another system signs in from now on.
 * @property change short name of what happened
 * @property told a sentence for the user
 */
export const systemLinked = event<{
  readonly user: UserId
  readonly jobs: JobQueue
  readonly change: string
  readonly told: string
}>('users.systemLinked')
