import type { BodyOf, ReplyOf } from '@trainyard/platform/contract/call.ts'
import type { organisation } from '../contract/organisation.ts'
import { formatTags, parseTags, tagsProblem } from '@trainyard/platform/contract/words/azure-tags.ts'
import { isEmail, normaliseEmail } from '@trainyard/platform/contract/words/email.ts'
import { AMOUNT_RUPEES_MAX } from '@trainyard/platform/contract/words/limits.ts'
import { numberProblem, parseRupees } from '@trainyard/platform/contract/words/money.ts'
import { isTimeZone } from '@trainyard/platform/contract/words/time-zone.ts'

export type Settings = ReplyOf<typeof organisation.settings>
export type ProfileChanges = Omit<BodyOf<typeof organisation.changeProfile>, 'organization'>

export interface EnteredProfile {
  readonly timeZone: string
  readonly creditLimit: string
  /** Lines of `name=value`. */
  readonly azureTags: string
  readonly helpEmail: string
}

export interface ProfileForm extends EnteredProfile {
  readonly pseudonymsAllowed: boolean
}

export const formValuesOf = ({
  timeZone,
  creditLimit,
  azureTags,
  helpEmail,
  pseudonymsAllowed,
}: Settings): ProfileForm => ({
  pseudonymsAllowed,
  timeZone,
  creditLimit: creditLimit === 0 ? '' : String(creditLimit),
  azureTags: formatTags(azureTags),
  helpEmail: helpEmail ?? '',
})

export function profileChanges(
  settings: Settings,
  entered: ProfileForm,
): { changes: ProfileChanges; problems?: never } | { changes?: never; problems: Partial<EnteredProfile> } {
  const before = formValuesOf(settings)
  const isChanged = (field: keyof EnteredProfile) => entered[field].trim() !== before[field]
  const timeZone = entered.timeZone.trim()
  const limit = entered.creditLimit.trim() === '' ? 0 : parseRupees(entered.creditLimit)
  const helpEmail = normaliseEmail(entered.helpEmail)
  const tags = parseTags(entered.azureTags)
  const wrongTags = tags === null ? 'must be one name=value per line' : tagsProblem(tags)
  const problems: Partial<EnteredProfile> = {
    ...(isChanged('timeZone') &&
      !isTimeZone(timeZone) && { timeZone: 'Choose a time zone from the list, such as Asia/Kolkata.' }),
    ...((limit === null || limit < 0 || limit > AMOUNT_RUPEES_MAX) && {
      creditLimit: numberProblem(entered.creditLimit, 'Enter rupees with at most two decimals.'),
    }),
    ...(isChanged('helpEmail') &&
      helpEmail !== '' &&
      !isEmail(helpEmail) && { helpEmail: 'Enter an e-mail address such as help@example.com.' }),
    ...(wrongTags !== null && { azureTags: `The field ${wrongTags}.` }),
  }
  if (limit === null || Object.keys(problems).length > 0) return { problems }
  return {
    changes: {
      ...(entered.pseudonymsAllowed !== settings.pseudonymsAllowed && { pseudonymsAllowed: entered.pseudonymsAllowed }),
      ...(isChanged('timeZone') && { timeZone }),
      ...(isChanged('creditLimit') && { creditLimit: limit }),
      ...(isChanged('helpEmail') && { helpEmail: helpEmail === '' ? null : helpEmail }),
      ...(isChanged('azureTags') && { azureTags: tags ?? {} }),
    },
  }
}
