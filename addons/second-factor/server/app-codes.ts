import { sql } from 'kysely'
import type { UserId } from '@trainyard/platform/contract/words/ids.ts'
import { SECOND_FACTOR } from '../contract/second-factor-words.ts'
import type { Db, Tx } from '@trainyard/platform/server/db/schema.ts'
import { Problem } from '@trainyard/platform/server/core/errors.ts'
import type { Seal } from '@trainyard/platform/server/run/secrets/seal.ts'
import { appSecretContext } from './encryption-context.ts'
import { matchingTimeStep } from './totp.ts'

/**
 * Maximum number of codes per day. Three of a million codes are valid at a time, so a guesser needs twelve years for a
 * 50 % chance.
 */
const CODES_PER_DAY = 50
const SECONDS_A_DAY = 24 * 60 * 60

export interface AppCode {
  readonly step: number
}

/**
 * Verifies a code. Returns null if it is wrong or of a step that was used. The attempt is counted before the
 * comparison.
 * @throws Problem tooMany
 */
export async function verifyAppCode(
  db: Db,
  seal: Seal,
  input: { readonly user: UserId; readonly code: string; readonly now: Date },
): Promise<AppCode | null> {
  const app = await reserveCode(db, input.user)
  if (app === undefined) return null
  const step = matchingTimeStep(seal.open(app.secret, appSecretContext(input.user)), input.code, input.now)
  return step === null || step <= app.last_step ? null : { step }
}

async function reserveCode(db: Db, user: UserId): Promise<{ secret: Buffer; last_step: number } | undefined> {
  const dayOver = sql<boolean>`tried_since <= portal_now() - make_interval(secs => ${SECONDS_A_DAY})`
  const reserved = await db
    .updateTable('authenticator_app')
    .set({
      tried: sql`case when ${dayOver} then 1 else tried + 1 end`,
      tried_since: sql`case when ${dayOver} then portal_now() else tried_since end`,
    })
    .where('user_id', '=', user)
    .where(sql<boolean>`(tried < ${CODES_PER_DAY} or ${dayOver})`)
    .returning(['secret', 'last_step'])
    .executeTakeFirst()
  if (reserved !== undefined) return reserved
  const app = await db.selectFrom('authenticator_app').select('user_id').where('user_id', '=', user).executeTakeFirst()
  if (app === undefined) return undefined
  throw new Problem('tooMany', SECOND_FACTOR.tooManyCodes, SECONDS_A_DAY)
}

/**
 * Consumes the step of a correct code, which no longer counts as an attempt. Returns false if the step was used
 * concurrently.
 */
export async function consumeAppCode(tx: Tx, user: UserId, { step }: AppCode): Promise<boolean> {
  const taken = await tx
    .updateTable('authenticator_app')
    .set({ last_step: step, tried: sql`greatest(tried - 1, 0)` })
    .where('user_id', '=', user)
    .where('last_step', '<', step)
    .returning('user_id')
    .executeTakeFirst()
  return taken !== undefined
}
