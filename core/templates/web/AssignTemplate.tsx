import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '@trainyard/platform/web/api/client.ts'
import { query } from '@trainyard/platform/web/api/queries.ts'
import { FormDialog } from '@trainyard/platform/web/ui/FormDialog.tsx'
import { OrganisationField } from '@trainyard/platform/web/ui/OrganisationField.tsx'
import { controlledText } from '@trainyard/platform/web/ui/typed-fields.tsx'
import { useDialogSubmit } from '@trainyard/platform/web/forms/useDialogSubmit.ts'
import { assigner } from './assign-each.ts'
import { CardsField } from './CardsField.tsx'

export default function AssignTemplate({ close }: { close: () => void }) {
  const [organization, setOrganization] = useState('')
  const [chosen, setChosen] = useState<string[]>([])
  const [tried, setTried] = useState(false)
  const [assign] = useState(assigner)
  const { data } = useQuery(query(api.template.assigned))
  const has = data?.assigned.filter((each) => each.organization === organization).map(({ template }) => template) ?? []
  const templates = chosen.filter((name) => !has.includes(name))
  const creation = useDialogSubmit<undefined>(() => assign(organization, templates), ['template'], close)
  return (
    <FormDialog
      title="Assign VM Card"
      submit={templates.length > 1 ? `Assign ${templates.length} Cards` : 'Assign'}
      busy={creation.isPending && 'Assigning...'}
      close={close}
      onSubmit={() => {
        setTried(true)
        if (organization !== '' && templates.length > 0) creation.mutate(undefined)
      }}
    >
      <OrganisationField
        label="Organization"
        {...controlledText(organization, setOrganization)}
        error={tried && organization === '' && 'Select an organisation.'}
      />
      <CardsField
        label="Templates"
        chosen={templates}
        without={has}
        choose={setChosen}
        error={tried && templates.length === 0 && 'Select a template.'}
      />
    </FormDialog>
  )
}
