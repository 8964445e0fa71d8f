import type { BodyOf, ReplyOf } from '@trainyard/platform/contract/call.ts'
import type { identityProvider } from '../contract/identity-provider.ts'
import { GROUP_ROLES } from '../contract/sign-in-provider.ts'

export type ProviderSettings = ReplyOf<typeof identityProvider.show>
export type Provider = NonNullable<ProviderSettings['provider']>
type Given = Omit<BodyOf<typeof identityProvider.save>, 'organization'>

export interface EnteredProvider {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
  readonly groupClaim: string
  /** A group per line: `lab-admins = admin`. */
  readonly groups: string
  readonly signsOutThere: boolean
  readonly adminsNeedSecondFactor: boolean
}

export const formValuesOfProvider = (provider: Provider | null): EnteredProvider => ({
  issuer: '',
  clientId: '',
  clientSecret: '',
  signsOutThere: false,
  adminsNeedSecondFactor: false,
  ...provider,
  groupClaim: provider?.groupClaim ?? '',
  groups: (provider?.groups ?? []).map(({ group, role }) => `${group} = ${role}`).join('\n'),
})

/** Returns the settings to save; empty if nothing changed, null while a field is invalid. */
export function providerChanges(
  provider: Provider | null,
  entered: EnteredProvider,
): { readonly given?: Given } | null {
  const before = formValuesOfProvider(provider)
  if (Object.keys(before).every((name) => same(before, entered, name as keyof EnteredProvider))) return {}
  const groups = groupsIn(entered.groups)
  const moved = !same(before, entered, 'issuer') || !same(before, entered, 'clientId')
  if (!URL.canParse(entered.issuer.trim()) || entered.clientId.trim() === '' || groups === null) return null
  if (moved && entered.clientSecret === '') return null
  const given = {
    issuer: entered.issuer.trim(),
    clientId: entered.clientId.trim(),
    ...(entered.clientSecret !== '' && { clientSecret: entered.clientSecret }),
    groupClaim: entered.groupClaim.trim() || null,
    groups,
    signsOutThere: entered.signsOutThere,
    adminsNeedSecondFactor: entered.adminsNeedSecondFactor,
  }
  return { given }
}

const same = (a: EnteredProvider, b: EnteredProvider, name: keyof EnteredProvider): boolean =>
  String(a[name]).trim() === String(b[name]).trim()

export function groupsIn(text: string): Given['groups'] | null {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  const groups = lines.map((line) => {
    const at = line.lastIndexOf('=')
    const group = line.slice(0, Math.max(0, at)).trim()
    const role = GROUP_ROLES.find((each) => each === line.slice(at + 1).trim())
    return group === '' || role === undefined ? null : { group, role }
  })
  return groups.includes(null) ? null : groups.filter((group) => group !== null)
}
