import { placeNamed } from '#src/azure/arm/locations.ts'
import { param, type Operation } from '#src/azure/arm/operation.ts'

/** One of a subscription's limits at a location. */
export interface Usage {
  /** As the list has it besides its name; not every service does. */
  readonly id?: string
  readonly value: string
  readonly shown: string
  readonly used: number
  readonly limit: number
}

/** The list of a service's limits at a location, and how much of each is used. */
export const usageOperation = (
  { name, service, versions }: Pick<Operation, 'name' | 'versions'> & { readonly service: string },
  usagesAt: (subscription: string, location: string) => readonly Usage[],
): Operation => ({
  name,
  method: 'GET',
  path: `/subscriptions/:subscription/providers/${service}/locations/:location/usages`,
  versions,
  handle: (call) => {
    const location = placeNamed(param(call, 'location'), 'locations/usages')
    const usages = usagesAt(param(call, 'subscription'), location)
    return {
      status: 200,
      body: {
        value: usages.map(({ id, value, shown, used, limit }) => ({
          ...(id === undefined ? {} : { id }),
          unit: 'Count',
          currentValue: used,
          limit,
          name: { value, localizedValue: shown },
        })),
      },
    }
  },
})
