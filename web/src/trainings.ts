import { useQuery } from '@tanstack/react-query'
import { api } from './api.ts'

/** The query keys of what the sidebar offers; invalidate them after an order or a deletion. */
export const organisationsKey = ['organisations'] as const
export const trainingsKey = (organization: string | null) => ['trainings', organization] as const

/** The names of an organisation's trainings; nothing is asked while no organisation is known. */
export function useTrainings(organization: string | null) {
  return useQuery({
    queryKey: trainingsKey(organization),
    queryFn: ({ signal }) => api.training.names({ organization: organization! }, { signal }),
    select: (reply) => reply.trainingNames,
    enabled: organization !== null && organization !== 'Unknown',
  })
}

/** The names of all customers: for a superadmin. */
export function useOrganisations(enabled: boolean) {
  return useQuery({
    queryKey: organisationsKey,
    queryFn: ({ signal }) => api.organisation.list(undefined, { signal }),
    select: (reply) => reply.organization,
    enabled,
  })
}
