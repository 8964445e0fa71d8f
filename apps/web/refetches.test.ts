import { expect, test } from 'vitest'
import { modules } from '@trainyard/modules/web.ts'
import { queries } from '@trainyard/platform/web/api/cache.ts'
import { connectRefetches, invalidate } from '@trainyard/platform/web/api/queries.ts'

connectRefetches(modules.map(({ refetches = {} }) => refetches))

test.each(['ledger', 'payment', 'credit'] as const)(
  'a change of %s makes the credit that is left stale',
  async (group) => {
    const key = ['meter', 'outlook', {}]
    queries.setQueryData(key, { credit: null })
    await invalidate(group)
    expect(queries.getQueryState(key)).toMatchObject({ isInvalidated: true })
    queries.clear()
  },
)
