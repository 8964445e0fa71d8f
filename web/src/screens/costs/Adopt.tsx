import { NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '#src/api/client.ts'
import { invalidate, query } from '#src/api/queries.ts'
import { useDedupedMutation } from '#src/api/useDedupedMutation.ts'
import { FormDialog } from '#src/ui/FormDialog.tsx'
import { notify } from '#src/ui/notices.ts'
import { OrganisationField } from '#src/ui/OrganisationField.tsx'
import type { Adoptable } from './adoptable.ts'

export default function Adopt({ what, close }: { what: Adoptable; close: () => void }) {
  const { name, ...of } = what
  const [organization, setOrganization] = useState('')
  const [trainingName, setTrainingName] = useState('')
  const [tried, setTried] = useState(false)
  const trainings = useQuery(query(api.training.names, organization === '' ? null : { organization }))
  const adoption = useDedupedMutation({
    mutationFn: () => api.cost.adopt({ ...of, organization, ...(trainingName !== '' && { trainingName }) }),
    onSuccess({ message }) {
      notify.status(message)
      close()
      return invalidate('cost')
    },
    onError: (error) => notify.alert(error.message, error),
  })
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
        value={organization}
        error={tried && organization === '' && <span role="alert">Select an organization.</span>}
        onChange={(event) => {
          setOrganization(event.currentTarget.value)
          setTrainingName('')
        }}
      />
      <NativeSelect
        label="Training"
        description="Optional."
        value={trainingName}
        onChange={(event) => setTrainingName(event.currentTarget.value)}
      >
        <option value="">None</option>
        {trainings.data?.trainingNames.map((each) => (
          <option key={each} value={each}>
            {each}
          </option>
        ))}
      </NativeSelect>
    </FormDialog>
  )
}
