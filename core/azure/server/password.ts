import type { AzureAccount } from './azure-spec.ts'
import { CloudError, oneLine } from '@trainyard/platform/server/providers/errors.ts'
import { callOrNull, startOperation } from './calls.ts'
import type { AzureClients } from './clients.ts'

/**
 * Name of the extension, which is fixed so that a repeat finds the earlier request. Azure allows one extension of a
 * kind on a machine.
 */
const EXTENSION = 'trainyard-password'

/**
 * Sets the password through the VMAccess extension. A specialized image contains the accounts of its source, and Azure
 * accepts no other ones.
 */
export async function setPassword(
  { compute }: AzureClients,
  account: AzureAccount,
  signal: AbortSignal,
): Promise<'set' | 'working'> {
  const { name, password, resourceGroup } = account
  const extensions = compute.virtualMachineExtensions
  const { body } = await callOrNull(`read the password extension of ${name}`, signal, (options) =>
    extensions.get(resourceGroup, name, EXTENSION, { ...options, expand: 'instanceView' }),
  )
  const state = body?.provisioningState?.toLowerCase()
  const isThisOne = body?.forceUpdateTag === tagOf(account)
  if (isThisOne && state === 'succeeded') return 'set'
  if (state !== undefined && state !== 'succeeded' && state !== 'failed') return 'working'
  const accepted = await startOperation(
    `set the password of ${name}`,
    signal,
    (options) => extensions.beginCreateOrUpdate(resourceGroup, name, EXTENSION, extensionFor(account), options),
    password,
  )
  if (accepted.body.provisioningState === 'Succeeded') return 'set'
  if (state !== 'failed' || !isThisOne) return 'working'
  const details = oneLine(body?.instanceView?.statuses?.[0]?.message ?? 'Azure gave no reason.', password)
  throw new CloudError(
    'conflict',
    `The password of ${name} could not be set. The portal tries again. Azure: ${details}`,
    5,
  )
}

/**
 * Returns the tag that identifies a password. The first password has no number, because tags of earlier versions have
 * none.
 */
const tagOf = ({ id, passwordNumber }: AzureAccount) => (passwordNumber === 1 ? id : `${id}-${passwordNumber}`)

/** Returns the extension for the operating system: the two VMAccess types use different field names. */
function extensionFor(account: AzureAccount) {
  const { location, os, username, password, tags } = account
  const common = { location, tags, forceUpdateTag: tagOf(account), autoUpgradeMinorVersion: true }
  if (os === 'Windows') {
    return {
      ...common,
      publisher: 'Microsoft.Compute',
      typePropertiesType: 'VMAccessAgent',
      typeHandlerVersion: '2.4',
      settings: { UserName: username },
      protectedSettings: { Password: password },
    }
  }
  return {
    ...common,
    publisher: 'Microsoft.OSTCExtensions',
    typePropertiesType: 'VMAccessForLinux',
    typeHandlerVersion: '1.5',
    protectedSettings: { username, password },
  }
}
