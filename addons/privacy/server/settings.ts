import type { ReplyOf } from '@trainyard/platform/contract/call.ts'
import type { privacy } from '../contract/privacy.ts'
import type { OrganisationId } from '@trainyard/platform/contract/words/ids.ts'
import type { Db, Tx } from '@trainyard/platform/server/db/schema.ts'

type Settings = ReplyOf<typeof privacy.settings>

const COLUMNS = {
  responsible: 'responsible',
  contact: 'contact',
  purpose: 'purpose',
  noticeUrl: 'notice_url',
  activityDays: 'activity_days',
  attendanceDays: 'attendance_days',
  emailDays: 'email_days',
  signInDays: 'sign_in_days',
  webhookDays: 'webhook_days',
} as const satisfies Record<keyof Settings, string>
const NAMES = Object.keys(COLUMNS) as (keyof Settings)[]

/** @param organisation null: a user without an organisation, for whom nothing is set */
export async function privacySettings(db: Db, organisation: OrganisationId | null): Promise<Settings> {
  const row = await db
    .selectFrom('organisation_privacy')
    .selectAll()
    .where('organisation_id', '=', organisation)
    .executeTakeFirst()
  return Object.fromEntries(NAMES.map((name) => [name, row?.[COLUMNS[name]] ?? null])) as Settings
}

export async function changePrivacySettings(tx: Tx, organisation: OrganisationId, changes: Partial<Settings>) {
  const set = Object.fromEntries(
    NAMES.filter((name) => changes[name] !== undefined).map((name) => [COLUMNS[name], changes[name]]),
  )
  await tx
    .insertInto('organisation_privacy')
    .values({ organisation_id: organisation, ...set })
    .onConflict((on) => on.column('organisation_id').doUpdateSet({ organisation_id: organisation, ...set }))
    .execute()
}
