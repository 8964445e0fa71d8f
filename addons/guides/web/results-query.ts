import { api } from '@trainyard/platform/web/api/client.ts'
import { query } from '@trainyard/platform/web/api/queries.ts'
import type { TrainingQuery } from '@trainyard/platform/web/navigation/selection.ts'

/** Poll interval in ms. */
const REFRESH_MS = 10_000

/** The work of the learners of a class, for as many components as show parts of it. */
export const resultsQuery = (training: TrainingQuery) => ({
  ...query(api.guide.results, training),
  refetchInterval: REFRESH_MS,
})
