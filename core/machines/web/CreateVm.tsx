import IconSearch from '@tabler/icons-react/icons/IconSearch'
import { TextInput } from '@mantine/core'
import { lazy, Suspense, useState } from 'react'
import { EMPTY } from '@trainyard/platform/contract/words/problems.ts'
import { useSelection } from '@trainyard/platform/web/navigation/useSelection.ts'
import { EmptyState } from '@trainyard/platform/web/ui/EmptyState.tsx'
import { SelectCustomer } from '@trainyard/platform/web/ui/SelectTraining.tsx'
import { Fetched } from '@trainyard/platform/web/ui/Fetched.tsx'
import { ReasonButton } from '@trainyard/platform/web/ui/ReasonButton.tsx'
import { Screen } from '@trainyard/platform/web/ui/Screen.tsx'
import { Skeleton } from '@trainyard/platform/web/ui/Skeleton.tsx'
import { controlledText } from '@trainyard/platform/web/ui/typed-fields.tsx'
import styles from './CreateVm.module.css'
import type { Batch } from './OrderForm.tsx'
import { useLastBatch } from './useLastBatch.ts'
import { TemplateCard, type Template } from './TemplateCard.tsx'

/** Number of cards that are found at a glance. */
const WITHOUT_SEARCH = 4

const OrderDialog = lazy(() => import('./OrderDialog.tsx'))

export default function CreateVm() {
  const { organization, trainingQuery } = useSelection()
  const [ordered, setOrdered] = useState<{ template: Template; like: Batch | null } | null>(null)
  const { templates, like, templateName, template: card } = useLastBatch(organization, trainingQuery)
  const [searchText, setSearchText] = useState('')
  return (
    <Screen
      actions={
        <>
          {templates.data && templates.data.length > WITHOUT_SEARCH && (
            <TextInput
              type="search"
              aria-label="Search cards"
              placeholder="Search"
              leftSection={<IconSearch size={16} aria-hidden />}
              {...controlledText(searchText, setSearchText)}
            />
          )}
          {like && templates.data && (
            <ReasonButton
              variant="default"
              may={card ? true : `${templateName} can no longer be ordered.`}
              onClick={() => card && setOrdered({ template: card, like })}
            >
              Clone last batch
            </ReasonButton>
          )}
        </>
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
                {findTemplates(data, searchText).map((template) => (
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

function findTemplates(templates: readonly Template[], entered: string): readonly Template[] {
  const text = entered.trim().toLowerCase()
  return templates.filter(({ name, display }) =>
    [name, ...Object.values(display)].some((each) => each.toLowerCase().includes(text)),
  )
}
