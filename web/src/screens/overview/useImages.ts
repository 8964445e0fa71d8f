import { useQuery } from '@tanstack/react-query'
import { api } from '#src/api/client.ts'
import { query } from '#src/api/queries.ts'

/** The interval, in ms, while an image is being made. */
const IN_PROGRESS_MS = 3_000

/** The images of machines, newest first, looked at again while one is being made. Superadmin only. */
export const useImages = () =>
  useQuery({
    ...query(api.image.list),
    select: ({ images }) => images,
    refetchInterval: ({ state }) =>
      state.data?.images.some(({ status }) => status === 'In progress') === true && IN_PROGRESS_MS,
  })
