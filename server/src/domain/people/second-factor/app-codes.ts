import { sql } from 'kysely'
import type { UserId } from '@trainyard/contract/words/ids.ts'
import { SECOND_FACTOR } from '@trainyard/contract/words/second-factor.ts'
import type { Db, Tx } from '../../../db/schema.ts'
import { Problem } from '../../../core/errors.ts'
import type { Seal } from '../../../secrets/seal.ts'
import { stepOf } from './totp.ts'

/**
 * Wrong codes of an app that one account hears within a day. Of a million codes three are right at a time: who has the
 * password guesses for twelve years until they are in with one chance in two.
 */
const CODES_PER_DAY = 50
const SECONDS_A_DAY = 24 * 60 * 60

/** A secret is sealed for its person: moved to another's row it opens nothing. */
export const secretContext = (user: UserId): string => `authenticator app of ${user}`

/** A right code names the step that it is of. */
export interface AppCode {
  readonly step: number
}

/**
 * Reads a code of a person's app: null where it is wrong, or of a step whose code was taken before. It is counted before
 * it is compared.
 * @throws Problem tooMany, where the account has heard too many today
 */
export async function readAppCode(
  db: Db,
  seal: Seal,
  asked: { readonly user: UserId; readonly code: string; readonly now: Date },
): Promise<AppCode | null> {
  const app = await reserveCode(db, asked.user)
  if (app === undefined) return null
  const step = stepOf(seal.open(app.secret, secretContext(asked.user)), asked.code, asked.now)
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

/** Takes a right code, once, and gives back what it was counted as; false where a code of its step was taken. */
export async function takeAppCode(tx: Tx, user: UserId, { step }: AppCode): Promise<boolean> {
  const taken = await tx
    .updateTable('authenticator_app')
    .set({ last_step: step, tried: sql`greatest(tried - 1, 0)` })
    .where('user_id', '=', user)
    .where('last_step', '<', step)
    .returning('user_id')
    .executeTakeFirst()
  return taken !== undefined
}
