import { z } from 'zod'
import type { Settings } from '@trainyard/platform/emulator/record/settings.ts'

const location = z.string().regex(/^[a-z0-9]+$/)

/** Restrictions other than roles that the administrators of a corporate subscription set: policies, locks, deny assignments. */
export const governanceShape = z.strictObject({
  /** Assigns "Network interfaces should not have public IPs". */
  noPublicAddresses: z.boolean().default(false),
  /** For each tag name, assigns the policies "Require a tag on resources" and "Require a tag on resource groups". */
  requiredTags: z.array(z.string().min(1)).default([]),
  /** Assigns "Allowed locations" and "Allowed locations for resource groups". Null: any location. */
  allowedLocations: z.array(location).nullable().default(null),
  /** Message of non-compliance that the administrators wrote for these assignments; null: none. */
  reason: z.string().nullable().default(null),
  /** Locations that Azure itself closed for this kind of subscription. */
  closedLocations: z.array(location).default([]),
  /** Resource locks; `group` null: on the subscription. */
  locks: z
    .array(z.strictObject({ group: z.string().nullable(), level: z.enum(['CanNotDelete', 'ReadOnly']) }))
    .default([]),
  /** True if the subscription registered the feature Microsoft.Compute/EncryptionAtHost. */
  encryptionAtHost: z.boolean().default(false),
  /** Resource IDs of disk encryption sets that exist. */
  diskEncryptionSets: z.array(z.string()).default([]),
  /** Deny assignments of the subscription; actions may contain `*`. */
  denials: z.array(z.strictObject({ name: z.string(), actions: z.array(z.string()) })).default([]),
})
export type Governance = z.infer<typeof governanceShape>

const name = 'governance'

export const setGovernance = (settings: Settings, governance: Governance): void =>
  settings.write(name, JSON.stringify(governance))

export const governanceIn = (settings: Settings): Governance =>
  governanceShape.parse(JSON.parse(settings.read(name) ?? '{}'))
