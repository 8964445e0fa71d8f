import { CloudError } from '@trainyard/platform/server/providers/errors.ts'
import { sharedTags } from './names.ts'

interface SharedResource {
  readonly provisioningState?: string
  readonly tags?: Record<string, string>
}

/**
 * Repeats the PUT of a network or security group that Azure shows as failed or canceled, with the content that Azure
 * returned. Resources that the portal did not create are not changed.
 * @returns null after a repair: the caller reads the resource again
 * @throws CloudError that names the resource if another owner must repair it
 */
export async function repairIfFailed<T extends SharedResource>(
  label: string,
  existing: T,
  put: (content: T) => Promise<unknown>,
): Promise<T | null> {
  const state = existing.provisioningState?.toLowerCase()
  if (state !== 'failed' && state !== 'canceled') return existing
  if (!isOurs(existing.tags)) {
    throw new CloudError(
      'refused',
      `Azure shows ${label} as ${existing.provisioningState}. The portal did not create it and does not change it. Repair it in Azure (az resource update with its ID repeats its last change), then power on the machine.`,
    )
  }
  await put(existing)
  return null
}

const isOurs = (tags: Record<string, string> = {}): boolean =>
  Object.entries(sharedTags).every(([name, value]) =>
    Object.entries(tags).some(([key, found]) => key.toLowerCase() === name && found === value),
  )
