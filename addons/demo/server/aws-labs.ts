import { randomUUID } from 'node:crypto'
import type { SandboxUserId } from '@trainyard/platform/contract/words/ids.ts'
import type { Tx } from '@trainyard/platform/server/db/schema.ts'
import { makePassword } from '@trainyard/machines/server/credentials.ts'
import type { Seal } from '@trainyard/platform/server/run/secrets/seal.ts'
import type { HashOf } from './organisations.ts'
import { DAY } from './past-days.ts'

/**
 * `ago` is the number of days since the lab started, `days` its duration. The first user signs in with the demo
 * password.
 */
const USERS = [
  { email: 'aws@demo.test', username: 'demo', ago: 4, days: 14 },
  { email: 'ishaan.rao@aws.labs.test', username: 'ishaan.rao', ago: 2, days: 5 },
  { email: 'tara.menon@aws.labs.test', username: 'tara.menon', ago: 0, days: 30 },
] as const

export async function addAwsLabs(tx: Tx, seal: Seal, hashOf: HashOf, now: Date): Promise<void> {
  for (const { email, username, ago, days } of USERS) {
    const account = await tx
      .insertInto('portal_user')
      .values({ email, role: 'awssandboxuser', organisation_id: null, password_hash: hashOf(email) })
      .onConflict((on) => on.column('email').doUpdateSet({ role: 'awssandboxuser' }))
      .returning('id')
      .executeTakeFirstOrThrow()
    const id = randomUUID() as SandboxUserId
    const start = Math.floor((now.getTime() - ago * DAY) / 1000) * 1000
    await tx
      .insertInto('aws_user')
      .values({
        id,
        username,
        email,
        personal_email: `${username}@home.test`,
        account_id: account.id,
        days,
        start_at: new Date(start),
        end_at: new Date(start + days * DAY),
        first_password: seal.seal(makePassword(), id),
      })
      .execute()
  }
}
