import { NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { cost } from '../contract/cost.ts'
import { api } from '@trainyard/platform/web/api/client.ts'
import { query } from '@trainyard/platform/web/api/queries.ts'
import { useAction } from '@trainyard/platform/web/api/useAction.ts'
import { useShapedForm } from '@trainyard/platform/web/forms/useShapedForm.tsx'
import { FormDialog } from '@trainyard/platform/web/ui/FormDialog.tsx'
import { OrganisationField } from '@trainyard/platform/web/ui/OrganisationField.tsx'
import type { Adoptable } from './adoptable.ts'

export default function Adopt({ what, close }: { what: Adoptable; close: () => void }) {
  const { name, ...of } = what
  const form = useShapedForm({
    shape: cost.adopt.body,
    initialValues: { organization: '', trainingName: '' },
    bodyOf: ({ organization, trainingName }) => ({
      ...of,
      organization,
      ...(trainingName !== '' && { trainingName }),
    }),
  })
  const { organization } = form.values
  const trainings = useQuery(query(api.training.names, organization === '' ? null : { organization }))
  const adoption = useAction(api.cost.adopt, { invalidates: ['cost'], onDone: close })
  return (
    <FormDialog
      title={`Adopt ${name}`}
      submit="Adopt"
      busy={adoption.isPending && 'Adopting...'}
      onSubmit={form.onSubmit((body) => adoption.mutate(body))}
      close={close}
    >
      <p>
        Its cost counts as the customer’s on this screen only. The customer is not charged, and the resource stays at
        the provider.
      </p>
      <OrganisationField
        data-autofocus
        {...form.getInputProps('organization')}
        onChange={({ currentTarget: { value } }) => form.setValues({ organization: value, trainingName: '' })}
      />
      <NativeSelect
        label="Training"
        description="Optional."
        data={[{ value: '', label: 'None' }, ...(trainings.data?.trainingNames ?? [])]}
        {...form.getInputProps('trainingName')}
      />
    </FormDialog>
  )
}
