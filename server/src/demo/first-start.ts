import type { Config, Secrets } from '../config.ts'
import { connect } from '../db/client.ts'
import type { Db } from '../db/schema.ts'
import { closeDemoAccounts } from './close.ts'
import { isInhabited } from './inhabited.ts'
import { OTHERS } from './people.ts'

/**
 * Makes the demo world on the first start where every far end is the emulator: its machines never cost anybody
 * anything, and its accounts, whose password is published, lead nowhere. Where that is no longer so, closes what an
 * earlier start made.
 * @returns lines that tell the logins, that they are closed, or that nobody has one; none when there was nothing to do
 */
export async function demoOnFirstStart(config: Config, secrets: Secrets): Promise<string[]> {
  const db = connect({ connectionString: secrets.databaseUrl }, { size: 2, as: 'app' })
  try {
    if (!config.demo) return [...(await closeDemoAccounts(db)), ...(await adviceWithoutSuperadmin(db))]
    if (await isInhabited(db)) return []
    // All that the world is made of is read only where it is made: every other start would wait for it in vain.
    const [{ makeSeal }, { makeDemoWorld }, { pastRecordOf }] = await Promise.all([
      import('../secrets/seal.ts'),
      import('./make.ts'),
      import('./past-record.ts'),
    ])
    const recordPast = pastRecordOf(config.emulator.url, config.azure.subscriptionId)
    return await makeDemoWorld(db, makeSeal(secrets.keys), recordPast, config.emulator.url)
  } finally {
    await db.destroy()
  }
}

/** A portal without a demo begins without anybody who could sign in; a demo's closed account is nobody either. */
async function adviceWithoutSuperadmin(db: Db): Promise<string[]> {
  const found = await db
    .selectFrom('portal_user')
    .select('id')
    .where('role', '=', 'superadmin')
    .where((eb) =>
      eb.or([
        eb('password_hash', 'is not', null),
        eb(
          'email',
          'not in',
          OTHERS.map(({ email }) => email),
        ),
      ]),
    )
    .limit(1)
    .executeTakeFirst()
  return found === undefined ? ['No superadmin can sign in yet. Make one with: npm run superadmin -- EMAIL'] : []
}
