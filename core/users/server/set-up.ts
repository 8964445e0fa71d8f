import { timingSafeEqual } from 'node:crypto'
import type { UserId } from '@trainyard/platform/contract/words/ids.ts'
import { isTimeZone } from '@trainyard/platform/contract/words/time-zone.ts'
import { Problem } from '@trainyard/platform/server/core/errors.ts'
import { lockName } from '@trainyard/platform/server/db/client.ts'
import type { Db, Tx } from '@trainyard/platform/server/db/schema.ts'
import type { Seal } from '@trainyard/platform/server/run/secrets/seal.ts'

/** Letters and digits that are not confused with each other. */
const LETTERS = '23456789ABCDEFGHJKMNPQRSTVWXYZ'
const GROUPS = 4
const GROUP_LENGTH = 4

/** Returns the code of the set-up, which is the same in every process with the keys of the portal. */
export function setUpCode(seal: Seal): string {
  const bytes = Buffer.from(seal.token('set-up code', 'first superadmin'), 'base64url')
  const letters = [...bytes.subarray(0, GROUPS * GROUP_LENGTH)].map((byte) => LETTERS[byte % LETTERS.length]).join('')
  return letters.match(new RegExp(`.{${GROUP_LENGTH}}`, 'g'))!.join('-')
}

/** Shown at the log-in while the portal has no superadmin. */
export const SET_UP_WAITS =
  'This portal is not set up: it has no superadmin yet. Open the link for the set-up, which its log shows at each start.'

/** Returns true while the portal has no superadmin. The last superadmin cannot be deleted. */
export async function isSetUpOpen(db: Db): Promise<boolean> {
  const found = await db
    .selectFrom('portal_user')
    .select('id')
    .where('role', '=', 'superadmin')
    .limit(1)
    .executeTakeFirst()
  return found === undefined
}

/** Returns lines for the operator: the link for the set-up while it is open. */
export async function setUpAdvice(db: Db, seal: Seal, publicUrl: string): Promise<readonly string[]> {
  if (!(await isSetUpOpen(db))) return []
  const code = setUpCode(seal)
  return [`There is no superadmin yet. Set up the portal, once: ${publicUrl}/set-up#${code}`]
}

/** @throws Problem forbidden if there is a superadmin or if the code is wrong */
export async function requireSetUp(db: Db, seal: Seal, code: string): Promise<void> {
  if (!(await isSetUpOpen(db))) throw new Problem('forbidden', 'This portal is set up already. Please log in.')
  const lettersOf = (text: string) => Buffer.from(text.toUpperCase().replaceAll(/[^A-Z0-9]/g, ''))
  const [given, right] = [lettersOf(code), lettersOf(setUpCode(seal))]
  if (given.length !== right.length || !timingSafeEqual(given, right)) {
    throw new Problem('forbidden', 'The code is wrong. The log of the portal shows it at each start.')
  }
}

export interface FirstSuperadmin {
  readonly email: string
  readonly name: string
  readonly passwordHash: string
  readonly timeZone: string | undefined
}

/** Creates the superadmin. Of several concurrent calls only the first succeeds. @throws Problem */
export async function createFirstSuperadmin(
  tx: Tx,
  seal: Seal,
  code: string,
  { email, name, passwordHash, timeZone }: FirstSuperadmin,
): Promise<UserId> {
  await lockName(tx, 'first superadmin')
  await requireSetUp(tx, seal, code)
  const created = await tx
    .insertInto('portal_user')
    .values({
      email,
      name,
      role: 'superadmin',
      organisation_id: null,
      password_hash: passwordHash,
      time_zone: timeZone !== undefined && isTimeZone(timeZone) ? timeZone : null,
    })
    .onConflict((on) => on.doNothing())
    .returning('id')
    .executeTakeFirst()
  if (created === undefined) throw new Problem('conflict', `${email} already has an account. Choose another e-mail.`)
  return created.id
}
