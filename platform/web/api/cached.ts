import { queries } from './cache.ts'
import { type Api, api, apiBy, type Reader } from './client.ts'

/** Reads that fill the cache. A reply that is in it is not fetched again. */
export const cached = apiBy((module, name, input) => {
  const call = api[module as keyof Api][name as never] as Reader<object | undefined, unknown>
  return queries.ensureQueryData({
    queryKey: [module, name, input],
    queryFn: ({ signal }) => call(input, { signal }),
  })
})
