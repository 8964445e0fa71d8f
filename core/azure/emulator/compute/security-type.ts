import { Refusal } from '../arm/refusal.ts'
import type { Resource } from '../arm/resources.ts'
import type { MachineBody } from './machine-body.ts'
import type { Definition } from '../gallery/definitions.ts'

interface SecurityProfile {
  readonly securityType?: string
  readonly encryptionAtHost?: boolean
}

export const securityTypeOf = ({ features }: Definition): string | undefined =>
  features?.find(({ name }) => name === 'SecurityType')?.value

const profileIn = (properties: unknown): SecurityProfile | undefined =>
  (properties as { securityProfile?: SecurityProfile }).securityProfile

export const isTrusted = (machine: Resource): boolean =>
  profileIn(machine.doc.properties)?.securityType === 'TrustedLaunch'

/**
 * Trusted Launch is the default for generation 2 platform images (Azure's documentation, trusted-launch). With a
 * Trusted Launch image definition it must be requested (quoted in kubermatic/machine-controller#2013).
 */
export function securityOf(
  body: MachineBody,
  definition: Definition | null,
  platform: { readonly generation: 'V1' | 'V2' } | null,
): SecurityProfile | undefined {
  const requested = profileIn(body.properties)
  if (
    definition !== null &&
    securityTypeOf(definition) === 'TrustedLaunch' &&
    requested?.securityType !== 'TrustedLaunch'
  ) {
    throw new Refusal(
      400,
      'BadRequest',
      "The provided gallery image only supports creation of VMs and VM Scale Sets with 'TrustedLaunch' security type.",
    )
  }
  if (requested?.securityType === 'Standard')
    return requested.encryptionAtHost === true ? { encryptionAtHost: true } : undefined
  if (requested?.securityType !== undefined || platform?.generation !== 'V2') return requested
  return {
    ...requested,
    securityType: 'TrustedLaunch',
    uefiSettings: { secureBootEnabled: true, vTpmEnabled: true },
  } as SecurityProfile
}
