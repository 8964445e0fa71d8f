import { Refusal } from '#src/azure/arm/refusal.ts'
import type { Resource } from '#src/azure/arm/resources.ts'
import type { MachineBody } from '#src/azure/compute/machine-body.ts'
import type { Definition } from '#src/azure/gallery/definitions.ts'

interface SecurityProfile {
  readonly securityType?: string
}

/** Returns the security type that an image definition's features set for its machines; undefined: none. */
export const securityTypeOf = ({ features }: Definition): string | undefined =>
  features?.find(({ name }) => name === 'SecurityType')?.value

const profileIn = (properties: unknown): SecurityProfile | undefined =>
  (properties as { securityProfile?: SecurityProfile }).securityProfile

/** Returns true when an existing machine was made as a Trusted Launch one. */
export const isTrusted = (machine: Resource): boolean =>
  profileIn(machine.doc.properties)?.securityType === 'TrustedLaunch'

/**
 * A machine's security as it comes to be. One of a second generation's platform image is Trusted Launch unless it is
 * asked to be Standard (Azure's documentation, trusted-launch); one of an image whose definition says so has to ask for
 * it (quoted in kubermatic/machine-controller#2013).
 */
export function securityOf(
  body: MachineBody,
  definition: Definition | null,
  platform: { readonly generation: 'V1' | 'V2' } | null,
): SecurityProfile | undefined {
  const asked = profileIn(body.properties)
  if (
    definition !== null &&
    securityTypeOf(definition) === 'TrustedLaunch' &&
    asked?.securityType !== 'TrustedLaunch'
  ) {
    throw new Refusal(
      400,
      'BadRequest',
      "The provided gallery image only supports creation of VMs and VM Scale Sets with 'TrustedLaunch' security type.",
    )
  }
  if (asked?.securityType === 'Standard') return undefined
  if (asked?.securityType !== undefined || platform?.generation !== 'V2') return asked
  return {
    ...asked,
    securityType: 'TrustedLaunch',
    uefiSettings: { secureBootEnabled: true, vTpmEnabled: true },
  } as SecurityProfile
}
