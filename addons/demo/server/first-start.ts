import type { Config, Secrets } from '@trainyard/platform/server/config/config.ts'
import { withConnection } from '@trainyard/platform/server/db/client.ts'
import type { Db } from '@trainyard/platform/server/db/schema.ts'
import { closeDemoUsers } from './close.ts'
import { hasUsers } from './has-users.ts'
import { DEMO_PASSWORD, ORGANISATIONS, USERS_WITHOUT_ORGANISATION } from './organisations.ts'

const LOGINS = [
  `Logins of the demo, with the password ${DEMO_PASSWORD}:`,
  `  ${USERS_WITHOUT_ORGANISATION.map(({ email }) => email).join('  ')}`,
  ...ORGANISATIONS.map(
    ({ admin, learners, signInDomain }) =>
      `  ${admin}  ${learners[0]}${signInDomain === undefined ? '' : '  (no password: choose Sign in with your organisation)'}`,
  ),
]

/**
 * Creates demo data only if every provider is the emulator. Otherwise closes existing demo users. Returns lines for the
 * terminal.
 */
export async function demoOnFirstStart(config: Config, secrets: Secrets): Promise<readonly string[]> {
  return withConnection({ connectionString: secrets.databaseUrl }, { size: 2, as: 'app' }, async (db) => {
    if (!config.demo) return [...(await closeDemoUsers(db)), ...(await adviceWithoutSuperadmin(db))]
    if (await hasUsers(db)) return (await hasDemoUsers(db)) ? LOGINS : []
    const [{ makeSeal }, { createDemoData }, { historyRecorder }, { withDemoLabs }, { addDemoLms }] = await Promise.all(
      [
        import('@trainyard/platform/server/run/secrets/seal.ts'),
        import('./create-demo-data.ts'),
        import('./emulator-history.ts'),
        import('@trainyard/als-import/server/lab-services.ts'),
        import('@trainyard/lti/server/lms.ts'),
      ],
    )
    const { url } = config.emulator
    const { subscriptionId } = config.azure
    const recordPast = withDemoLabs(historyRecorder(url, subscriptionId), url, subscriptionId)
    const seal = makeSeal(secrets.keys)
    const isCreated = await createDemoData(db, seal, recordPast, url)
    // A concurrent first start may have created the data.
    if (isCreated) await addDemoLms(db, seal, { emulatorUrl: url, publicUrl: config.http.publicUrl })
    return LOGINS
  })
}

/** Returns a hint if no superadmin can sign in: there is none, or only the closed demo user. */
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
          USERS_WITHOUT_ORGANISATION.map(({ email }) => email),
        ),
      ]),
    )
    .limit(1)
    .executeTakeFirst()
  return found === undefined ? ['No superadmin can sign in yet. Create one with: npm run superadmin -- EMAIL'] : []
}

const hasDemoUsers = async (db: Db): Promise<boolean> =>
  (await db
    .selectFrom('portal_user')
    .select('id')
    .where('email', '=', USERS_WITHOUT_ORGANISATION[0]!.email)
    .executeTakeFirst()) !== undefined
