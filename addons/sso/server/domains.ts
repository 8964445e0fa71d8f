import { sql } from 'kysely'
import { domainRecord } from '../contract/sign-in-provider.ts'
import type { OrganisationId } from '@trainyard/platform/contract/words/ids.ts'
import type { Db, Tx } from '@trainyard/platform/server/db/schema.ts'
import { conflict, notFound, Problem } from '@trainyard/platform/server/core/errors.ts'
import { claimUnusedUsers } from '@trainyard/users/server/domain-owner.ts'
import { lockOrganisation } from '@trainyard/organisations/server/scope.ts'
import { endSessionsOpened } from '@trainyard/users/server/sessions.ts'
import { type TextRecords, TextRecordsError } from './text-records-provider.ts'
import type { Seal } from '@trainyard/platform/server/run/secrets/seal.ts'
import { lockName } from '@trainyard/platform/server/db/client.ts'

const DOMAINS_MAX = 50

export const recordOf = (seal: Seal, organisation: OrganisationId, domain: string): string =>
  domainRecord(seal.token('domain', `${organisation}\n${domain}`))

export async function addDomain(tx: Tx, organisation: OrganisationId, domain: string): Promise<void> {
  await tx
    .insertInto('organisation_domain')
    .values({ organisation_id: organisation, domain, verified_at: null, verified_by: null })
    .onConflict((on) => on.doNothing())
    .execute()
  const { count } = await tx
    .selectFrom('organisation_domain')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('organisation_id', '=', organisation)
    .executeTakeFirstOrThrow()
  if (count > DOMAINS_MAX) throw conflict(`An organisation can have at most ${DOMAINS_MAX} domains.`)
}

/** @throws Problem notFound */
export async function requireDomain(db: Db, organisation: OrganisationId, domain: string): Promise<void> {
  const existing = await db
    .selectFrom('organisation_domain')
    .select('domain')
    .where('organisation_id', '=', organisation)
    .where('domain', '=', domain)
    .executeTakeFirst()
  if (existing === undefined) throw notFound('domain')
}

/** @throws Problem conflict if the record is not published; unavailable if no name server answers */
export async function requirePublishedRecord(dnsTexts: TextRecords, domain: string, record: string): Promise<void> {
  try {
    if ((await dnsTexts.textsOf(domain)).includes(record)) return
  } catch (error) {
    if (!(error instanceof TextRecordsError)) throw error
    throw new Problem('unavailable', `${error.message} Please try again shortly.`, 10)
  }
  throw conflict(
    `The DNS of ${domain} does not contain the TXT record ${record} yet. New records can take an hour to appear.`,
  )
}

/**
 * Marks a domain as verified and moves its unused accounts to the organisation.
 * @throws Problem conflict if the domain is verified for another organisation
 */
export async function verifyDomain(
  tx: Tx,
  organisation: OrganisationId,
  domain: string,
  verifiedBy: 'dns' | 'superadmin',
): Promise<void> {
  // Serialises verifications of the same domain.
  await lockName(tx, `domain ${domain}`)
  const owner = await tx
    .selectFrom('organisation_domain')
    .select('organisation_id')
    .where('domain', '=', domain)
    .where('verified_at', 'is not', null)
    .executeTakeFirst()
  if (owner !== undefined && owner.organisation_id !== organisation) {
    throw conflict(`${domain} is already verified for another organisation.`)
  }
  await tx
    .updateTable('organisation_domain')
    .set({ verified_at: sql<Date>`portal_now()`, verified_by: verifiedBy })
    .where('organisation_id', '=', organisation)
    .where('domain', '=', domain)
    .where('verified_at', 'is', null)
    .execute()
  await claimUnusedUsers(tx, organisation, { domain })
}

/**
 * Removes a domain. If it was verified, ends the sessions of its users that were opened through the provider. Returns
 * true if it was the last verified one.
 * @param kept session of the actor, which does not end
 * @throws Problem conflict if the organisation does not have it
 */
export async function removeDomain(
  tx: Tx,
  organisation: OrganisationId,
  domain: string,
  kept: Buffer | null,
): Promise<boolean> {
  await lockOrganisation(tx, organisation, 'change')
  const removed = await tx
    .deleteFrom('organisation_domain')
    .where('organisation_id', '=', organisation)
    .where('domain', '=', domain)
    .returning('verified_at')
    .executeTakeFirst()
  if (removed === undefined) throw conflict(`${domain} is not one of the organisation’s domains.`)
  if (removed.verified_at === null) return false
  const ofDomain = sql<boolean>`split_part(u.email, '@', 2) = ${domain}`
  await endSessionsOpened(tx, 'provider', organisation, kept, ofDomain)
  const other = await tx
    .selectFrom('organisation_domain')
    .select('domain')
    .where('organisation_id', '=', organisation)
    .where('verified_at', 'is not', null)
    .limit(1)
    .executeTakeFirst()
  return other === undefined
}
