import type { BodyOf, ReplyOf } from '@trainyard/contract/call.ts'
import type { identityProvider } from '@trainyard/contract/calls/identity-provider.ts'
import { GROUP_ROLES } from '@trainyard/contract/words/sign-in-provider.ts'

export type ProviderSettings = ReplyOf<typeof identityProvider.show>
export type Provider = NonNullable<ProviderSettings['provider']>
type Given = Omit<BodyOf<typeof identityProvider.save>, 'organization'>

export interface TypedProvider {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
  readonly groupClaim: string
  /** A group per line: `lab-admins = admin`. */
  readonly groups: string
  readonly signsOutThere: boolean
  readonly adminsNeedSecondFactor: boolean
}

export const typedProvider = (provider: Provider | null): TypedProvider => ({
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
export function providerChanges(provider: Provider | null, typed: TypedProvider): { readonly given?: Given } | null {
  const before = typedProvider(provider)
  if (Object.keys(before).every((name) => same(before, typed, name as keyof TypedProvider))) return {}
  const groups = groupsIn(typed.groups)
  const moved = !same(before, typed, 'issuer') || !same(before, typed, 'clientId')
  if (!URL.canParse(typed.issuer.trim()) || typed.clientId.trim() === '' || groups === null) return null
  if (moved && typed.clientSecret === '') return null
  const given = {
    issuer: typed.issuer.trim(),
    clientId: typed.clientId.trim(),
    ...(typed.clientSecret !== '' && { clientSecret: typed.clientSecret }),
    groupClaim: typed.groupClaim.trim() || null,
    groups,
    signsOutThere: typed.signsOutThere,
    adminsNeedSecondFactor: typed.adminsNeedSecondFactor,
  }
  return { given }
}

const same = (a: TypedProvider, b: TypedProvider, name: keyof TypedProvider): boolean =>
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
