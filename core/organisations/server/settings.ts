import { sql } from 'kysely'
import type { BodyOf, ReplyOf } from '@trainyard/platform/contract/call.ts'
import { NOT_A_TIME_ZONE, type organisation } from '../contract/organisation.ts'
import type { OrganisationId } from '@trainyard/platform/contract/words/ids.ts'
import { paiseOfRupees, rupeesOfPaise } from '@trainyard/platform/contract/words/money.ts'
import type { Db, Tx } from '@trainyard/platform/server/db/schema.ts'
import type { Actor } from '@trainyard/platform/server/core/actor.ts'
import { conflict, Problem } from '@trainyard/platform/server/core/errors.ts'
import { ask, event, hook } from '@trainyard/platform/server/core/events.ts'
import { selectTimeZone } from './queries.ts'
import { lockOrganisation } from './scope.ts'
import { changeGstin, gstinOf } from './gstin.ts'

type Settings = ReplyOf<typeof organisation.settings>
type Profile = Omit<BodyOf<typeof organisation.changeProfile>, 'organization'>
type Security = Omit<BodyOf<typeof organisation.changeSecurity>, 'organization'>

/** True if the users of an organisation can sign in without passwords. The answer may throw a Problem that says why not. */
export const signsInElsewhere = hook<OrganisationId, boolean, Tx>(
  'organisations.signsInElsewhere',
  false,
  (first, second) => first || second,
)

/** Organisations that no longer allow passwords. `kept` is the hash of a session that does not end. */
export const passwordsEnded = event<{ readonly organisation: OrganisationId; readonly kept: Buffer | null }>(
  'organisations.passwordsEnded',
)

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
}

/** Both browsers and PostgreSQL must know the zone. PostgreSQL's names are compared case-sensitively here. */
async function requireKnownTimeZone(tx: Tx, timeZone: string): Promise<void> {
  const { rows } = await selectTimeZone(tx, timeZone)
  if (rows.length === 0) throw new Problem('malformed', NOT_A_TIME_ZONE)
}

/** Changes the security settings. The grace period for second factors starts when they become required. */
export async function changeSecurity(
  tx: Tx,
  id: OrganisationId,
  { passwordChangeRequired, secondFactor, idleMinutes, passwordsAllowed }: Security,
): Promise<void> {
  if (passwordsAllowed === false) await requireOtherSignIn(tx, id)
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
}

/**
 * Throws unless the users of an organisation can sign in without passwords.
 * @throws Problem conflict
 */
async function requireOtherSignIn(tx: Tx, organisation: OrganisationId): Promise<void> {
  // The lock makes a concurrent end of the other sign-in wait.
  await lockOrganisation(tx, organisation, 'change')
  if (!(await ask(tx, signsInElsewhere, organisation)))
    throw conflict('Your users can only sign in with passwords here.')
}
