import { useQuery } from '@tanstack/react-query'
import { api } from '#src/api/client.ts'
import { query } from '#src/api/queries.ts'

/** Queries the names of an organisation's trainings; disabled while the organisation is unknown. */
export function useTrainings(organization: string | null) {
  return useQuery({
    ...query(api.training.names, organization === null || organization === 'Unknown' ? null : { organization }),
    select: (reply) => reply.trainingNames,
  })
}

/** Queries the names of all customers (superadmin only). */
export function useOrganisations(enabled: boolean) {
  return useQuery({ ...query(api.organisation.list), select: (reply) => reply.organization, enabled })
}
