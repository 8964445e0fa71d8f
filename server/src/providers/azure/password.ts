import type { MachineAccount } from '../cloud.ts'
import { CloudError, oneLine } from '../errors.ts'
import { find, order } from './ask.ts'
import type { AzureClients } from './clients.ts'

/** One name: a repeat finds what was asked for before. Azure takes one extension of a kind on a machine. */
const EXTENSION = 'trainyard-password'

/**
 * Sets an account's password through Azure's VMAccess extension, which the agent inside runs: a specialized image
 * brings its source's accounts, and Azure takes no other in the request that makes the machine.
 */
export async function setPassword(
  { compute }: AzureClients,
  account: MachineAccount,
  signal: AbortSignal,
): Promise<'set' | 'working'> {
  const { name, password, resourceGroup } = account
  const extensions = compute.virtualMachineExtensions
  const { body } = await find(`look at the password of ${name}`, signal, (options) =>
    extensions.get(resourceGroup, name, EXTENSION, { ...options, expand: 'instanceView' }),
  )
  const state = body?.provisioningState?.toLowerCase()
  const isThisOne = body?.forceUpdateTag === tagOf(account)
  if (isThisOne && state === 'succeeded') return 'set'
  if (state !== undefined && state !== 'succeeded' && state !== 'failed') return 'working'
  const asked = await order(
    `set the password of ${name}`,
    signal,
    (options) => extensions.beginCreateOrUpdate(resourceGroup, name, EXTENSION, extensionFor(account), options),
    password,
  )
  if (asked.body.provisioningState === 'Succeeded') return 'set'
  if (state !== 'failed' || !isThisOne) return 'working'
  const said = oneLine(body?.instanceView?.statuses?.[0]?.message ?? 'Azure gave no reason.', password)
  throw new CloudError('conflict', `The password of ${name} could not be set and is set again: ${said}`, 5)
}

/** The first is told by the machine alone, as it was before a machine could have a second one. */
const tagOf = ({ id, passwordNumber }: MachineAccount) => (passwordNumber === 1 ? id : `${id}-${passwordNumber}`)

/** The two kinds of VMAccess call the same things by other names. */
function extensionFor(account: MachineAccount) {
  const { location, os, username, password } = account
  const common = { location, forceUpdateTag: tagOf(account), autoUpgradeMinorVersion: true }
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
