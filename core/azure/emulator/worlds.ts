import type { AzureCloud } from './cloud.ts'
import { setFamilyLimit } from './compute/quotas.ts'
import { type Governance, governanceShape, setGovernance } from './governance/governance.ts'
import { setAddressLimit } from './network/public-addresses.ts'

export const worldNames = ['open', 'corporate'] as const
export type WorldName = (typeof worldNames)[number]

interface World {
  readonly governance: Governance
  readonly publicAddresses: number | null
  /** Cores by family of sizes; null if only the regional limit applies. */
  readonly families: Readonly<Record<string, number | null>>
}

/**
 * Ready-made subscriptions: `open` without restrictions, `corporate` with the restrictions that administrators of a
 * company set up.
 */
const worlds: Readonly<Record<WorldName, World>> = {
  open: {
    governance: governanceShape.parse({}),
    publicAddresses: null,
    families: { standardDSv3Family: null, standardDDSv4Family: null },
  },
  corporate: {
    governance: governanceShape.parse({
      noPublicAddresses: true,
      requiredTags: ['CostCentre'],
      allowedLocations: ['southindia', 'centralindia'],
      closedLocations: ['centralindia'],
    }),
    publicAddresses: 3,
    families: { standardDSv3Family: 40, standardDDSv4Family: 0 },
  },
}

export function applyWorld(cloud: AzureCloud, name: WorldName): void {
  const { governance, publicAddresses, families } = worlds[name]
  setGovernance(cloud.settings, governance)
  setAddressLimit(cloud, publicAddresses)
  for (const [family, cores] of Object.entries(families)) setFamilyLimit(cloud, family, cores)
}
