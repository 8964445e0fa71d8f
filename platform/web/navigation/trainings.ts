import { useQuery } from '@tanstack/react-query'
import { compareNaturally } from '../../contract/words/natural-order.ts'
import { api } from '../api/client.ts'
import { query } from '../api/queries.ts'

export function useTrainings(organization: string | null) {
  return useQuery({
    ...query(api.training.names, organization === null || organization === 'Unknown' ? null : { organization }),
    select: (reply) => reply.trainingNames.toSorted(compareNaturally),
  })
}

export function useOrganisations(enabled: boolean) {
  return useQuery({
    ...query(api.organisation.list),
    select: (reply) => reply.organization.toSorted(compareNaturally),
    enabled,
  })
}
