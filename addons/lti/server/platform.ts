import { LMS, LTI_PAGE } from '../contract/lms-words.ts'
import type { LmsPlatformId, OrganisationId } from '@trainyard/platform/contract/words/ids.ts'
import type { Db } from '@trainyard/platform/server/db/schema.ts'
import { notFound, Problem } from '@trainyard/platform/server/core/errors.ts'
import { type Lms, LmsError, type LmsTrust, type ToolAddresses } from './lms-provider.ts'
import { openRegistration } from './register.ts'

/** An LMS whose settings are complete. */
export interface Platform extends LmsTrust {
  readonly id: LmsPlatformId
  readonly organisation: OrganisationId
  readonly name: string
  readonly authorizationUrl: string
  readonly tokenUrl: string
  readonly tokenAudience: string | null
}

/**
 * Addresses of the portal for one LMS. They contain the ID of the LMS, so that LMSs of two organisations with the same
 * issuer and client ID cannot be confused.
 */
export const addressesOf = (publicUrl: string, id: LmsPlatformId): ToolAddresses => ({
  login: `${publicUrl}${LTI_PAGE}/login/${id}`,
  redirect: `${publicUrl}${LTI_PAGE}/launch/${id}`,
  keySet: `${publicUrl}/api/lti/keys?platform=${id}`,
  target: `${publicUrl}${LTI_PAGE}/launch/${id}`,
})

/** Returns the settings of an LMS. @throws Problem notFound, or forbidden if the LMS is suspended or not set up */
export async function activePlatform(db: Db, id: string): Promise<Platform> {
  const row = await db
    .selectFrom('lms_platform as p')
    .innerJoin('organisation', 'organisation.id', 'p.organisation_id')
    .selectAll('p')
    .where('p.id', '=', id as LmsPlatformId)
    .where('organisation.removed_at', 'is', null)
    .executeTakeFirst()
  if (row === undefined) throw notFound('LMS')
  if (row.suspended_at !== null) throw new Problem('forbidden', LMS.suspended)
  if (row.issuer === null) throw new Problem('forbidden', LMS.incomplete)
  return {
    id: row.id,
    organisation: row.organisation_id,
    name: row.name,
    issuer: row.issuer,
    clientId: row.client_id!,
    authorizationUrl: row.authorization_url!,
    tokenUrl: row.token_url!,
    tokenAudience: row.token_audience,
    keySetUrl: row.key_set_url!,
  }
}

/**
 * Hosts of Canvas. Canvas authenticates the users of all customers at one host, but each customer's pages have a
 * separate host.
 */
const CANVAS = /(?:^|\.)(?:instructure|canvaslms)\.com$/

/**
 * Returns the origins that may frame the launch page of an LMS and receive messages from the page, and the origin of
 * the LMS's storage frame. Returns no origins for an unknown or suspended LMS.
 */
export async function lmsOriginsOf(db: Db, id: string) {
  const row = await db
    .selectFrom('lms_platform')
    .select(['issuer', 'authorization_url', 'frame_origin'])
    .where('id', '=', id as LmsPlatformId)
    .where('suspended_at', 'is', null)
    .executeTakeFirst()
  if (row?.issuer == null) return { origins: [], storageOrigin: undefined }
  return {
    origins: originsOf([row.issuer, row.authorization_url!, ...(row.frame_origin === null ? [] : [row.frame_origin])]),
    storageOrigin: URL.parse(row.authorization_url!)?.origin,
  }
}

/**
 * Returns the origins that may frame the page of a registration: those of the LMS's configuration and of the address at
 * which it registers tools. Without an unused registration code, the LMS is not asked.
 */
export async function registrationOriginsOf(
  db: Db,
  lms: Pick<Lms, 'addressRefusal' | 'registrationOrigin'>,
  { code, configuration }: { readonly code: string; readonly configuration: string },
): Promise<readonly string[]> {
  if (lms.addressRefusal(configuration) !== null) return []
  try {
    await openRegistration(db, code)
    return originsOf([configuration, await lms.registrationOrigin(configuration)])
  } catch (error) {
    // The page reports the reason when it registers.
    if (error instanceof Problem || error instanceof LmsError) return originsOf([configuration])
    throw error
  }
}

function originsOf(addresses: readonly string[]): readonly string[] {
  const urls = addresses.map((address) => URL.parse(address)).filter((url) => url !== null)
  const origins = new Set(urls.map(({ origin }) => origin))
  if (urls.some(({ hostname }) => CANVAS.test(hostname))) origins.add('https://*.instructure.com')
  return [...origins]
}
