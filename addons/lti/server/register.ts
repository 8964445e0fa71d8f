import { sql } from 'kysely'
import type { LmsPlatformId, OrganisationId } from '@trainyard/platform/contract/words/ids.ts'
import { REGISTRATION_HOURS } from '../contract/lms-words.ts'
import type { Db, Tx } from '@trainyard/platform/server/db/schema.ts'
import { conflict, Problem } from '@trainyard/platform/server/core/errors.ts'
import { hashToken } from '@trainyard/platform/server/core/tokens.ts'
import type { RegisteredPlatform } from './lms-provider.ts'

const isOpen = sql<boolean>`registration_expires_at > portal_now() and suspended_at is null`

/** Columns of a platform with a new registration code. */
export const registrationCode = (code: string) => ({
  registration_hash: hashToken(code),
  registration_expires_at: sql<Date>`portal_now() + make_interval(hours => ${REGISTRATION_HOURS})`,
})

/** Returns the LMS of an unused registration code. @throws Problem forbidden for a used, expired or unknown code */
export async function openRegistration(db: Db, code: string) {
  const row = await db
    .selectFrom('lms_platform')
    .select(['id', 'organisation_id as organisation'])
    .where('registration_hash', '=', hashToken(code))
    .where(isOpen)
    .executeTakeFirst()
  if (row === undefined) throw expired()
  return row
}

/** Stores the settings of an LMS that has registered. The code cannot be used again. @throws Problem forbidden, conflict */
export async function completeRegistration(tx: Tx, codeHash: Buffer, registered: RegisteredPlatform): Promise<void> {
  const row = await tx
    .selectFrom('lms_platform')
    .select(['id', 'organisation_id'])
    .where('registration_hash', '=', codeHash)
    .where(isOpen)
    .forUpdate()
    .executeTakeFirst()
  if (row === undefined) throw expired()
  await saveSettings(tx, row, registered)
  await tx.updateTable('lms_platform').set({ frame_origin: registered.frameOrigin }).where('id', '=', row.id).execute()
  if (registered.deployment !== null) await acceptDeployments(tx, row, [registered.deployment])
}

type PlatformSettings = Omit<RegisteredPlatform, 'deployment' | 'product' | 'frameOrigin'>
type PlatformRow = Parameters<typeof acceptDeployments>[1]

/**
 * Stores the settings of an LMS and ends its registration code.
 * @throws Problem conflict if the organisation has another LMS with the same issuer but other signing keys, because
 * issuer and subject identify users
 */
export async function saveSettings(
  tx: Tx,
  { id, organisation_id }: PlatformRow,
  options: PlatformSettings,
): Promise<void> {
  await tx.selectFrom('organisation').select('id').where('id', '=', organisation_id).forNoKeyUpdate().execute()
  const others = await tx
    .selectFrom('lms_platform')
    .select(['name', 'client_id', 'key_set_url'])
    .where('organisation_id', '=', organisation_id)
    .where('issuer', '=', options.issuer)
    .where('id', '<>', id)
    .execute()
  const conflicting = others.find(
    ({ client_id, key_set_url }) => client_id === options.clientId || key_set_url !== options.keySetUrl,
  )
  if (conflicting !== undefined) {
    throw conflict(
      conflicting.client_id === options.clientId
        ? `${conflicting.name} is already connected with this issuer and client ID.`
        : `${conflicting.name} has the same issuer with another key set, so that users could be mistaken for each other.`,
    )
  }
  await tx
    .updateTable('lms_platform')
    .set({ ...settingsColumns(options), frame_origin: null, registration_hash: null, registration_expires_at: null })
    .where('id', '=', id)
    .execute()
}

/** Columns of the settings that an admin enters or an LMS registers. */
export const settingsColumns = (options: PlatformSettings) => ({
  issuer: options.issuer,
  client_id: options.clientId,
  authorization_url: options.authorizationUrl,
  token_url: options.tokenUrl,
  token_audience: options.tokenAudience,
  key_set_url: options.keySetUrl,
})

/** Accepts deployments. Adds unknown deployments first. */
export async function acceptDeployments(
  tx: Tx,
  { id, organisation_id }: { readonly id: LmsPlatformId; readonly organisation_id: OrganisationId },
  deployments: readonly string[],
): Promise<void> {
  if (deployments.length === 0) return
  await tx
    .insertInto('lms_deployment')
    .values(
      deployments.map((deployment_id) => ({
        platform_id: id,
        organisation_id,
        deployment_id,
        accepted_at: sql<Date>`portal_now()`,
        seen_at: null,
      })),
    )
    .onConflict((on) =>
      on.columns(['platform_id', 'deployment_id']).doUpdateSet((eb) => ({
        accepted_at: eb.fn.coalesce('lms_deployment.accepted_at', 'excluded.accepted_at'),
      })),
    )
    .execute()
}

const expired = () =>
  new Problem('forbidden', 'This registration link has been used or has expired. Ask your administrator for a new one.')
