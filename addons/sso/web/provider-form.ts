import type { BodyOf, ReplyOf } from '@trainyard/platform/contract/call.ts'
import type { identityProvider } from '../contract/identity-provider.ts'

export type ProviderSettings = ReplyOf<typeof identityProvider.show>
export type Provider = NonNullable<ProviderSettings['provider']>
export type Given = Omit<BodyOf<typeof identityProvider.save>, 'organization'>

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

/** Returns the settings to save as the call takes them, which validates them; empty if nothing changed. */
export function providerChanges(provider: Provider | null, entered: EnteredProvider): Partial<Given> {
  const before = formValuesOfProvider(provider)
  if (Object.keys(before).every((name) => same(before, entered, name as keyof EnteredProvider))) return {}
  return {
    issuer: entered.issuer.trim(),
    clientId: entered.clientId.trim(),
    // The saved secret belongs to the saved issuer and client.
    ...((entered.clientSecret !== '' || isMoved(before, entered)) && { clientSecret: entered.clientSecret }),
    groupClaim: entered.groupClaim.trim() || null,
    groups: groupsIn(entered.groups),
    signsOutThere: entered.signsOutThere,
    adminsNeedSecondFactor: entered.adminsNeedSecondFactor,
  }
}

/** Returns true if the issuer or the client is another one than the saved one. */
export const isMoved = (saved: Pick<EnteredProvider, 'issuer' | 'clientId'>, entered: EnteredProvider): boolean =>
  saved.issuer !== entered.issuer.trim() || saved.clientId !== entered.clientId.trim()

const same = (a: EnteredProvider, b: EnteredProvider, name: keyof EnteredProvider): boolean =>
  String(a[name]).trim() === String(b[name]).trim()

/** Returns the groups of the lines. A line without a role has an empty one, which the call refuses. */
function groupsIn(text: string): Given['groups'] {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  return lines.map((line) => {
    const [, group = line, role = ''] = /^(.*)=(.*)$/.exec(line) ?? []
    return { group: group.trim(), role: role.trim() as Given['groups'][number]['role'] }
  })
}
