import type { Config, Secrets } from '@trainyard/platform/server/config/config.ts'
import { ConfigError } from '@trainyard/platform/server/core/errors.ts'
import { withConnection } from '@trainyard/platform/server/db/client.ts'
import type { Db } from '@trainyard/platform/server/db/schema.ts'
import { closeDemoUsers } from './close.ts'
import type { DemoVariant } from './create-demo-data.ts'
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

/** Accounts that can sign in with a password where machines are real. */
const PRINTED_EMAILS = [
  ...USERS_WITHOUT_ORGANISATION.map(({ email }) => email),
  ...ORGANISATIONS.filter(({ signInDomain }) => signInDomain === undefined).flatMap(({ admin, learners }) => [
    admin,
    learners[0]!,
  ]),
]

const PRINTED_ONCE = [
  'The passwords of the demo were printed at the first start. Set another one with: npm run superadmin -- superadmin@demo.test',
]
const NEEDS_LXD = 'The demo in this data folder has machines at LXD. Start it with: npm start -- --provider lxd'
const IS_PUBLISHED =
  'The demo in this data folder has published passwords, so it gets no real machines. Choose a new folder with TRAINYARD_DATA.'

/**
 * Creates demo data only if every provider is the emulator. Otherwise closes existing demo users. Returns lines for the
 * terminal.
 */
export async function demoOnFirstStart(config: Config, secrets: Secrets): Promise<readonly string[]> {
  return withConnection({ connectionString: secrets.databaseUrl }, { size: 2, as: 'app' }, async (db) => {
    if (!config.demo) return [...(await closeDemoUsers(db)), ...(await adviceWithoutSuperadmin(db))]
    const isReal = config.lxd !== null
    if (await hasUsers(db)) {
      if (!(await hasDemoUsers(db))) return []
      const wasReal = await hasRealCards(db)
      if (isReal !== wasReal) throw new ConfigError(wasReal ? NEEDS_LXD : IS_PUBLISHED)
      return isReal ? PRINTED_ONCE : LOGINS
    }
    const [{ makeSeal }, { createDemoData }, { historyRecorder }, { withDemoLabs }, { addDemoLms }, variant] =
      await Promise.all([
        import('@trainyard/platform/server/run/secrets/seal.ts'),
        import('./create-demo-data.ts'),
        import('./emulator-history.ts'),
        import('@trainyard/als-import/server/lab-services.ts'),
        import('@trainyard/lti/server/lms.ts'),
        variantOf(config),
      ])
    const { url } = config.emulator
    const { subscriptionId } = config.azure
    const recordPast = withDemoLabs(historyRecorder(url, subscriptionId), url, subscriptionId)
    const seal = makeSeal(secrets.keys)
    const isCreated = await createDemoData(db, seal, recordPast, url, variant)
    // A concurrent first start may have created the data.
    if (isCreated) await addDemoLms(db, seal, { emulatorUrl: url, publicUrl: config.http.publicUrl })
    if (variant.passwords === null) return LOGINS
    if (!isCreated) return PRINTED_ONCE
    return [
      'Logins of the demo. The passwords are printed only now:',
      ...[...variant.passwords].map(([email, password]) => `  ${email.padEnd(22)} ${password}`),
    ]
  })
}

async function variantOf({ lxd }: Config): Promise<DemoVariant> {
  const [{ cardsWith }, { makePassword }] = await Promise.all([
    import('./templates.ts'),
    import('@trainyard/machines/server/credentials.ts'),
  ])
  return {
    cards: cardsWith(lxd),
    passwords: lxd === null ? null : new Map(PRINTED_EMAILS.map((email) => [email, makePassword()])),
  }
}

const hasRealCards = async (db: Db): Promise<boolean> =>
  (await db.selectFrom('template').select('id').where('provider', '=', 'lxd').limit(1).executeTakeFirst()) !== undefined

/** Returns a hint if the only superadmin is the closed demo user. Without any, the portal waits for its set-up. */
async function adviceWithoutSuperadmin(db: Db): Promise<string[]> {
  const demo = new Set(USERS_WITHOUT_ORGANISATION.map(({ email }) => email))
  const superadmins = await db
    .selectFrom('portal_user')
    .select(['email', 'password_hash'])
    .where('role', '=', 'superadmin')
    .execute()
  const isClosed = superadmins.every(({ email, password_hash: hash }) => hash === null && demo.has(email))
  return superadmins.length > 0 && isClosed
    ? ['No superadmin can sign in yet. Create one with: npm run superadmin -- EMAIL']
    : []
}

const hasDemoUsers = async (db: Db): Promise<boolean> =>
  (await db
    .selectFrom('portal_user')
    .select('id')
    .where('email', '=', USERS_WITHOUT_ORGANISATION[0]!.email)
    .executeTakeFirst()) !== undefined
