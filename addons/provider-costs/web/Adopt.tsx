import { NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '@trainyard/platform/web/api/client.ts'
import { query } from '@trainyard/platform/web/api/queries.ts'
import { useAction } from '@trainyard/platform/web/api/useAction.ts'
import { FormDialog } from '@trainyard/platform/web/ui/FormDialog.tsx'
import { OrganisationField } from '@trainyard/platform/web/ui/OrganisationField.tsx'
import { controlledText } from '@trainyard/platform/web/ui/typed-fields.tsx'
import type { Adoptable } from './adoptable.ts'

export default function Adopt({ what, close }: { what: Adoptable; close: () => void }) {
  const { name, ...of } = what
  const [organization, setOrganization] = useState('')
  const [trainingName, setTrainingName] = useState('')
  const [tried, setTried] = useState(false)
  const trainings = useQuery(query(api.training.names, organization === '' ? null : { organization }))
  const adoption = useAction(
    () => api.cost.adopt({ ...of, organization, ...(trainingName !== '' && { trainingName }) }),
    { invalidates: ['cost'], onDone: close },
  )
  const submit = () => {
    setTried(true)
    if (organization !== '') adoption.mutate()
  }
  return (
    <FormDialog
      title={`Adopt ${name}`}
      submit="Adopt"
      busy={adoption.isPending && 'Adopting...'}
      onSubmit={submit}
      close={close}
    >
      <p>
        Its cost counts as the customer’s on this screen only. The customer is not charged, and the resource stays at
        the provider.
      </p>
      <OrganisationField
        data-autofocus
        error={tried && organization === '' && <span role="alert">Select an organisation.</span>}
        {...controlledText(organization, (name) => {
          setOrganization(name)
          setTrainingName('')
        })}
      />
      <NativeSelect
        label="Training"
        description="Optional."
        data={[{ value: '', label: 'None' }, ...(trainings.data?.trainingNames ?? [])]}
        {...controlledText(trainingName, setTrainingName)}
      />
    </FormDialog>
  )
}
