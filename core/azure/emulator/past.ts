import { z } from 'zod'
import type { AzureCloud } from './cloud.ts'
import { groupId, keyOf, resourceId } from './arm/ids.ts'
import { sizeNamed } from './compute/sizes.ts'

const instant = z.iso.datetime({ offset: true }).transform((text) => Date.parse(text))
const pastMachine = z
  .strictObject({
    name: z.string().min(1).max(64),
    resourceGroup: z.string().min(1).max(90),
    location: z.string(),
    size: z.string().transform((name, context) => {
      const size = sizeNamed(name)
      if (size !== undefined) return size
      context.addIssue(`There is no size ${name}.`)
      return z.NEVER
    }),
    os: z.enum(['Windows', 'Linux']),
    tags: z.record(z.string(), z.string()).default({}),
    createdAt: instant,
    deletedAt: instant,
    /** In chronological order, without overlaps. */
    billed: z.array(z.strictObject({ from: instant, to: instant })),
  })
  .refine(({ createdAt, deletedAt, billed }) => {
    const instants = [createdAt, ...billed.flatMap(({ from, to }) => [from, to]), deletedAt]
    return instants.every((at, index) => index === 0 || instants[index - 1]! <= at)
  }, 'billed intervals must be in order and between createdAt and deletedAt')

export const pastShape = z.strictObject({ subscription: z.guid(), machines: z.array(pastMachine).max(1_000) })

type Past = z.infer<typeof pastShape>

/**
 * Replaces a previously recorded machine of the same name and group.
 * @throws RangeError if a deletion is in the future
 */
export function recordPast(cloud: AzureCloud, { subscription, machines }: Past, now: number): void {
  cloud.database.transaction(() => {
    for (const { name, resourceGroup, size, deletedAt, createdAt, billed, ...machine } of machines) {
      if (deletedAt > now)
        throw new RangeError(`${name} is deleted only at ${new Date(deletedAt).toISOString()}, which is in the future.`)
      const id = resourceId(subscription, resourceGroup, 'Microsoft.Compute/virtualMachines', name)
      const uid = `past ${keyOf(id)}`
      cloud.machines.forget(uid)
      cloud.machines.add(
        {
          ...machine,
          uid,
          key: keyOf(id),
          id,
          name,
          group: keyOf(groupId(subscription, resourceGroup)),
          groupName: resourceGroup,
          subscription,
          size,
          password: null,
        },
        createdAt,
      )
      for (const { from, to } of billed) {
        cloud.machines.setPower(uid, 'running', from)
        cloud.machines.setPower(uid, 'deallocated', to)
      }
      cloud.machines.markDeleting(uid, deletedAt)
      cloud.machines.markDeleted(uid, deletedAt)
    }
  })
}
