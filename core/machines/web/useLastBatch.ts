import { useQuery } from '@tanstack/react-query'
import { api } from '@trainyard/platform/web/api/client.ts'
import { query } from '@trainyard/platform/web/api/queries.ts'
import type { TrainingQuery } from '@trainyard/platform/web/navigation/selection.ts'
import type { Batch } from './OrderForm.tsx'

/** Fetches the cards that an organisation can order, and the last order of the training with its card. */
export function useLastBatch(organization: string | null, training: TrainingQuery | null) {
  const templates = useQuery({
    ...query(api.template.orderable, organization === null || organization === 'Unknown' ? null : { organization }),
    select: (reply) => reply.templates,
  })
  const order = useQuery({
    ...query(api.machine.lastOrder, training),
    select: (reply) => reply.lastOrder,
  })
  const last = order.data ?? null
  const like: Batch | null = training &&
    last && {
      trainingName: training.trainingName,
      allocatedHours: last.allocatedHours,
      guacamole: last.guacamole,
    }
  return {
    templates,
    isPending: templates.isPending || order.isPending,
    like,
    templateName: last?.templateName ?? null,
    /** Undefined if the card can no longer be ordered. */
    template: templates.data?.find(({ name }) => name === last?.templateName),
  }
}
