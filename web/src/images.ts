import { useQuery } from '@tanstack/react-query'
import { api } from './api.ts'

export const imagesKey = ['images'] as const

/** An image that is being made is asked after this often. */
const AT_WORK_MS = 3_000

/** The images of machines, newest first, looked at again while one is being made. Superadmin only. */
export const useImages = () =>
  useQuery({
    queryKey: imagesKey,
    queryFn: async ({ signal }) => (await api.capture.list(undefined, { signal })).images,
    refetchInterval: ({ state }) => state.data?.some(({ status }) => status === 'In progress') === true && AT_WORK_MS,
  })
