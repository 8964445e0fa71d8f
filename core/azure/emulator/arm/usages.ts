import { parseLocation } from './locations.ts'
import { param, type Operation } from './operation.ts'

export interface Usage {
  readonly id?: string
  readonly value: string
  readonly localizedName: string
  readonly used: number
  readonly limit: number
}

export const usageOperation = (
  { name, service, versions }: Pick<Operation, 'name' | 'versions'> & { readonly service: string },
  usagesAt: (subscription: string, location: string) => readonly Usage[],
): Operation => ({
  name,
  method: 'GET',
  path: `/subscriptions/:subscription/providers/${service}/locations/:location/usages`,
  versions,
  handle: (call) => {
    const location = parseLocation(param(call, 'location'), 'locations/usages')
    const usages = usagesAt(param(call, 'subscription'), location)
    return {
      status: 200,
      body: {
        value: usages.map(({ id, value, localizedName, used, limit }) => ({
          ...(id === undefined ? {} : { id }),
          unit: 'Count',
          currentValue: used,
          limit,
          name: { value, localizedValue: localizedName },
        })),
      },
    }
  },
})
