import { NativeSelect, type NativeSelectProps } from '@mantine/core'
import { useOrganisations } from '#src/navigation/trainings.ts'

interface OrganisationFieldProps extends Pick<NativeSelectProps, 'value' | 'error' | 'onChange'> {
  'data-autofocus'?: boolean
}

export function OrganisationField(field: OrganisationFieldProps) {
  const { data } = useOrganisations(true)
  const choices = [{ value: '', label: 'Select an organization' }, ...(data ?? [])]
  return <NativeSelect label="Organization" data={choices} {...field} />
}
