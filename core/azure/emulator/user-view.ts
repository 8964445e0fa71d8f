import { iso, wholeSecond } from '@trainyard/platform/emulator/clock/clock.ts'
import type { DirectoryUser } from './directory.ts'
import { badRequest } from './refusal.ts'

const defaultFields = [
  'businessPhones',
  'displayName',
  'givenName',
  'jobTitle',
  'mail',
  'mobilePhone',
  'officeLocation',
  'preferredLanguage',
  'surname',
  'userPrincipalName',
  'id',
]
const selectable = new Set([
  ...defaultFields,
  'accountEnabled',
  'mailNickname',
  'otherMails',
  'department',
  'companyName',
  'employeeId',
  'employeeType',
  'usageLocation',
  'createdDateTime',
  'deletedDateTime',
  'signInSessionsValidFromDateTime',
])

export function userView(user: DirectoryUser, select: string | undefined): Record<string, unknown> {
  const extraProperties = JSON.parse(user.more) as Record<string, unknown>
  const properties: Record<string, unknown> = {
    businessPhones: [],
    givenName: null,
    jobTitle: null,
    mail: null,
    mobilePhone: null,
    officeLocation: null,
    preferredLanguage: null,
    surname: null,
    otherMails: [],
    ...extraProperties,
    id: user.id,
    displayName: user.display_name,
    userPrincipalName: user.upn,
    mailNickname: user.mail_nickname,
    accountEnabled: user.enabled === 1,
    createdDateTime: iso(user.created_at),
    deletedDateTime: user.deleted_at === null ? null : iso(user.deleted_at),
    signInSessionsValidFromDateTime: iso(wholeSecond(user.sessions_revoked_at ?? user.created_at)),
  }
  const fields = select === undefined ? defaultFields : select.split(',').map((field) => field.trim())
  const unknown = fields.find((field) => !selectable.has(field))
  if (unknown !== undefined)
    throw badRequest(`Could not find a property named '${unknown}' on type 'microsoft.graph.user'.`)
  return Object.fromEntries(fields.map((field) => [field, properties[field] ?? null]))
}
