import { sql } from 'kysely'
import type { BodyOf, ReplyOf } from '@trainyard/contract/call.ts'
import type { organisation } from '@trainyard/contract/calls/organisation.ts'
import type { OrganisationId } from '@trainyard/contract/words/ids.ts'
import { paiseOfRupees, rupeesOfPaise } from '@trainyard/contract/words/money.ts'
import type { Db, Tx } from '../../../db/schema.ts'
import type { Actor } from '../../../core/actor.ts'
import { conflict, Problem } from '../../../core/errors.ts'
import { selectTimeZone } from './queries.ts'
import { lockOrganisation } from './scope.ts'
import { changeGstin, gstinOf } from './gstin.ts'
import { sessionsChanged } from '../../../core/session-changes.ts'

type Settings = ReplyOf<typeof organisation.settings>
type Profile = Omit<BodyOf<typeof organisation.changeProfile>, 'organization'>
type Security = Omit<BodyOf<typeof organisation.changeSecurity>, 'organization'>

const COLUMNS = [
  'name',
  'logo',
  'time_zone',
  'credit_limit_paise',
  'password_change_required',
  'second_factor',
  'second_factor_since',
  'idle_minutes',
  'passwords_allowed',
  'azure_tags',
  'pseudonyms_allowed',
  'management_sources',
  'help_email',
] as const

export async function settingsOf(db: Db, id: OrganisationId): Promise<Settings> {
  const row = await db.selectFrom('organisation').select(COLUMNS).where('id', '=', id).executeTakeFirstOrThrow()
  return {
    name: row.name,
    logo: row.logo,
    timeZone: row.time_zone,
    gst: await gstinOf(db, id),
    creditLimit: rupeesOfPaise(row.credit_limit_paise),
    azureTags: row.azure_tags,
    pseudonymsAllowed: row.pseudonyms_allowed,
    security: {
      passwordChangeRequired: row.password_change_required,
      secondFactor: row.second_factor,
      secondFactorSince: row.second_factor_since?.toISOString() ?? null,
      idleMinutes: row.idle_minutes,
      passwordsAllowed: row.passwords_allowed,
    },
    managementSources: row.management_sources,
    helpEmail: row.help_email,
  }
}

/** @throws Problem forbidden if an admin sets credit limit, GST number or Azure tags; malformed for an unknown time zone */
export async function changeProfile(
  tx: Tx,
  actor: Actor,
  id: OrganisationId,
  { timeZone, gst, creditLimit, azureTags, helpEmail, pseudonymsAllowed }: Profile,
): Promise<void> {
  if (creditLimit !== undefined && actor.role !== 'superadmin') {
    throw new Problem('forbidden', 'Only superadmins can set the credit limit.')
  }
  if (azureTags !== undefined && actor.role !== 'superadmin') {
    throw new Problem('forbidden', 'Only superadmins can set Azure tags.')
  }
  if (timeZone !== undefined) await requireKnownTimeZone(tx, timeZone)
  if (gst !== undefined) await changeGstin(tx, { actor, organisation: id, gstin: gst })
  if ([timeZone, creditLimit, azureTags, helpEmail, pseudonymsAllowed].every((field) => field === undefined)) return
  await tx
    .updateTable('organisation')
    .set({ time_zone: timeZone, azure_tags: azureTags, help_email: helpEmail, pseudonyms_allowed: pseudonymsAllowed })
    .set({ credit_limit_paise: creditLimit === undefined ? undefined : paiseOfRupees(creditLimit)! })
    .where('id', '=', id)
    .execute()
  await sessionsChanged(tx)
}

/** Both browsers and PostgreSQL must know the zone. PostgreSQL's names are compared case-sensitively here. */
async function requireKnownTimeZone(tx: Tx, timeZone: string): Promise<void> {
  const { rows } = await selectTimeZone(tx, timeZone)
  if (rows.length === 0) throw new Problem('malformed', 'timeZone must be a time zone such as Asia/Kolkata.')
}

/** Changes the security settings. The grace period for second factors starts when they become required. */
export async function changeSecurity(
  tx: Tx,
  id: OrganisationId,
  { passwordChangeRequired, secondFactor, idleMinutes, passwordsAllowed }: Security,
): Promise<void> {
  if (passwordsAllowed === false) await requireWorkingProvider(tx, id)
  await tx
    .updateTable('organisation')
    .set({ password_change_required: passwordChangeRequired, idle_minutes: idleMinutes })
    .set({ passwords_allowed: passwordsAllowed, second_factor: secondFactor })
    .$if(secondFactor !== undefined, (change) =>
      change.set({
        second_factor_since:
          secondFactor === 'required' ? sql<Date>`coalesce(second_factor_since, portal_now())` : sql<null>`null`,
      }),
    )
    .where('id', '=', id)
    .execute()
  await sessionsChanged(tx)
}

/** Throws unless a sign-in with the current settings has succeeded. Otherwise no user could sign in without passwords. */
async function requireWorkingProvider(tx: Tx, id: OrganisationId): Promise<void> {
  // The lock makes a concurrent removal of a domain wait.
  await lockOrganisation(tx, id, 'change')
  const works = await tx
    .selectFrom('identity_provider')
    .select('organisation_id')
    .where('organisation_id', '=', id)
    .where('worked_at', 'is not', null)
    .forUpdate()
    .executeTakeFirst()
  if (works === undefined) {
    throw conflict('Set up and test sign-in through your own provider first. No user has signed in through it yet.')
  }
  const domain = await tx
    .selectFrom('organisation_domain')
    .select('domain')
    .where('organisation_id', '=', id)
    .where('verified_at', 'is not', null)
    .limit(1)
    .executeTakeFirst()
  if (domain === undefined)
    throw conflict('Verify a domain first. Only users of a verified domain can sign in through the provider.')
}
