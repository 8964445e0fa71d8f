import { createHash } from 'node:crypto'

export const SANDBOX_TAG = 'trainyard-sandbox'
export const POLICY_NAME = 'trainyard-sizes'

export const ALLOWED_SIZES_POLICY =
  '/providers/Microsoft.Authorization/policyDefinitions/cccc23c7-8427-4f53-ad12-b6a63eb452b3'

/** Azure's built-in roles Contributor (everything except assigning roles) and Reader. */
export const ROLES = {
  full: 'b24988ac-6180-42a0-ab88-20f7382dd24c',
  read: 'acdd72a7-3385-48ef-bd42-f606fba81ae7',
} as const

export const roleDefinition = (subscriptionId: string, level: keyof typeof ROLES): string =>
  `/subscriptions/${subscriptionId}/providers/Microsoft.Authorization/roleDefinitions/${ROLES[level]}`

const NAMESPACE = Buffer.from('6ba7b8119dad11d180b400c04fd430c8', 'hex')

/** Returns a stable name for an assignment, so that a repeat finds the earlier one (UUID version 5 of RFC 9562). */
export function assignmentName(scope: string, objectId: string, level: keyof typeof ROLES): string {
  const content = `${scope.toLowerCase()} ${objectId.toLowerCase()} ${ROLES[level]}`
  const bytes = createHash('sha1').update(NAMESPACE).update(content).digest().subarray(0, 16)
  bytes[6] = (bytes[6]! & 0x0f) | 0x50
  bytes[8] = (bytes[8]! & 0x3f) | 0x80
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
