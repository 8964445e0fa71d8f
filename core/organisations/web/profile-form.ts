import type { BodyOf, ReplyOf } from '@trainyard/platform/contract/call.ts'
import type { organisation } from '../contract/organisation.ts'
import { formatTags, tagsIn } from '@trainyard/platform/contract/words/azure-tags.ts'
import { rupeesIn } from '@trainyard/platform/contract/words/money.ts'

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

/** Returns the changed fields as the call takes them, which validates them. */
export function profileChanges(settings: Settings, entered: ProfileForm): ProfileChanges {
  const before = formValuesOf(settings)
  const isChanged = (field: keyof EnteredProfile) => entered[field].trim() !== before[field]
  return {
    ...(entered.pseudonymsAllowed !== settings.pseudonymsAllowed && { pseudonymsAllowed: entered.pseudonymsAllowed }),
    ...(isChanged('timeZone') && { timeZone: entered.timeZone.trim() }),
    ...(isChanged('creditLimit') && {
      creditLimit: entered.creditLimit.trim() === '' ? 0 : rupeesIn(entered.creditLimit),
    }),
    ...(isChanged('helpEmail') && { helpEmail: entered.helpEmail.trim() || null }),
    ...(isChanged('azureTags') && { azureTags: tagsIn(entered.azureTags) }),
  }
}
