import { NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '@trainyard/platform/web/api/client.ts'
import { query } from '@trainyard/platform/web/api/queries.ts'
import { FormDialog } from '@trainyard/platform/web/ui/FormDialog.tsx'
import { OrganisationField } from '@trainyard/platform/web/ui/OrganisationField.tsx'
import { controlledText } from '@trainyard/platform/web/ui/typed-fields.tsx'
import { useDialogSubmit } from '@trainyard/platform/web/forms/useDialogSubmit.ts'

export default function AssignTemplate({ close }: { close: () => void }) {
  const [organization, setOrganization] = useState('')
  const [template, setTemplate] = useState('')
  const [tried, setTried] = useState(false)
  const { data } = useQuery(query(api.template.list))
  const creation = useDialogSubmit(api.template.assign, ['template'], close)
  return (
    <FormDialog
      title="Assign VM Card"
      submit="Assign"
      busy={creation.isPending && 'Assigning...'}
      close={close}
      onSubmit={() => {
        setTried(true)
        if (organization !== '' && template !== '') creation.mutate({ organization, template })
      }}
    >
      <OrganisationField
        label="Organization"
        {...controlledText(organization, setOrganization)}
        error={tried && organization === '' && 'Select an organisation.'}
      />
      <NativeSelect
        label="Template"
        data={[{ value: '', label: 'Select a template' }, ...(data?.templates.map(({ name }) => name) ?? [])]}
        {...controlledText(template, setTemplate)}
        error={tried && template === '' && 'Select a template.'}
      />
    </FormDialog>
  )
}
