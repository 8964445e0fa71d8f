import { useQuery } from '@tanstack/react-query'
import { api } from '@trainyard/platform/web/api/client.ts'
import { query } from '@trainyard/platform/web/api/queries.ts'

/** Poll interval in ms while an image is being created. */
const IN_PROGRESS_MS = 3_000

export const useImages = () =>
  useQuery({
    ...query(api.image.list),
    select: ({ images }) => images,
    refetchInterval: ({ state }) =>
      state.data?.images.some(({ status }) => status === 'In progress') === true && IN_PROGRESS_MS,
  })
