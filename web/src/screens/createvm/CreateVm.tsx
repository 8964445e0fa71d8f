import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { EMPTY } from '@trainyard/contract/words/problems.ts'
import { api } from '#src/api/client.ts'
import { query } from '#src/api/queries.ts'
import { useSelection } from '#src/navigation/useSelection.ts'
import { EmptyState } from '#src/ui/EmptyState.tsx'
import { Fetched } from '#src/ui/Fetched.tsx'
import { Screen } from '#src/ui/Screen.tsx'
import { Skeleton } from '#src/ui/Skeleton.tsx'
import styles from './CreateVm.module.css'
import { TemplateCard, type Template } from './TemplateCard.tsx'

const loadOrder = () => import('./OrderDialog.tsx')
const OrderDialog = lazy(loadOrder)

/** Provision New Instance: the VM cards that the organisation may order from. */
export default function CreateVm() {
  const { organization } = useSelection()
  const [ordered, setOrdered] = useState<Template | null>(null)
  const templates = useQuery({
    ...query(api.template.orderable, organization === null || organization === 'Unknown' ? null : { organization }),
    select: (reply) => reply.templates,
  })
  return (
    <Screen>
      {organization === null ? (
        <EmptyState text="Please select a customer from the sidebar." />
      ) : (
        <Fetched query={templates} loading={<Skeleton rows={3} height="11rem" />}>
          {(data) =>
            data.length === 0 ? (
              <EmptyState text={EMPTY.list('Template')} />
            ) : (
              <ul className={`cards ${styles.cards}`}>
                {data.map((template) => (
                  <li key={template.name}>
                    <TemplateCard
                      template={template}
                      prepare={() => void loadOrder()}
                      order={() => setOrdered(template)}
                    />
                  </li>
                ))}
              </ul>
            )
          }
        </Fetched>
      )}
      {ordered && organization !== null && (
        <Suspense>
          <OrderDialog template={ordered} organization={organization} close={() => setOrdered(null)} />
        </Suspense>
      )}
    </Screen>
  )
}
