import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { EMPTY } from '@trainyard/platform/contract/words/problems.ts'
import { api } from '@trainyard/platform/web/api/client.ts'
import { query } from '@trainyard/platform/web/api/queries.ts'
import { useSelection } from '@trainyard/platform/web/navigation/useSelection.ts'
import { EmptyState } from '@trainyard/platform/web/ui/EmptyState.tsx'
import { SelectCustomer } from '@trainyard/platform/web/ui/SelectTraining.tsx'
import { Fetched } from '@trainyard/platform/web/ui/Fetched.tsx'
import { ReasonButton } from '@trainyard/platform/web/ui/ReasonButton.tsx'
import { Screen } from '@trainyard/platform/web/ui/Screen.tsx'
import { Skeleton } from '@trainyard/platform/web/ui/Skeleton.tsx'
import styles from './CreateVm.module.css'
import type { Batch } from './OrderForm.tsx'
import { TemplateCard, type Template } from './TemplateCard.tsx'

const OrderDialog = lazy(() => import('./OrderDialog.tsx'))

export default function CreateVm() {
  const { organization, trainingQuery } = useSelection()
  const [ordered, setOrdered] = useState<{ template: Template; like: Batch | null } | null>(null)
  const templates = useQuery({
    ...query(api.template.orderable, organization === null || organization === 'Unknown' ? null : { organization }),
    select: (reply) => reply.templates,
  })
  const { data: last } = useQuery({
    ...query(api.machine.lastOrder, trainingQuery),
    select: (reply) => reply.lastOrder,
  })
  const card = templates.data?.find(({ name }) => name === last?.templateName)
  return (
    <Screen
      actions={
        trainingQuery &&
        last &&
        templates.data && (
          <ReasonButton
            variant="default"
            may={card ? true : `${last.templateName} can no longer be ordered.`}
            onClick={() =>
              card &&
              setOrdered({
                template: card,
                like: {
                  trainingName: trainingQuery.trainingName,
                  allocatedHours: last.allocatedHours,
                  guacamole: last.guacamole,
                },
              })
            }
          >
            Clone last batch
          </ReasonButton>
        )
      }
    >
      {organization === null ? (
        <SelectCustomer />
      ) : (
        <Fetched query={templates} loading={<Skeleton rows={3} height="11rem" />}>
          {(data) =>
            data.length === 0 ? (
              <EmptyState text={EMPTY.list('Template')} />
            ) : (
              <ul className={`cards ${styles.cards}`}>
                {data.map((template) => (
                  <li key={template.name}>
                    <TemplateCard template={template} order={() => setOrdered({ template, like: null })} />
                  </li>
                ))}
              </ul>
            )
          }
        </Fetched>
      )}
      {ordered && organization !== null && (
        <Suspense>
          <OrderDialog {...ordered} organization={organization} close={() => setOrdered(null)} />
        </Suspense>
      )}
    </Screen>
  )
}
