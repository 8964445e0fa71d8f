import { NativeSelect, type NativeSelectProps } from '@mantine/core'
import { useOrganisations } from '../navigation/trainings.ts'

interface OrganisationFieldProps extends Pick<NativeSelectProps, 'value' | 'error' | 'onChange'> {
  /** Label in forms whose words are specified. */
  label?: 'Organization'
  'data-autofocus'?: boolean
}

export function OrganisationField(field: OrganisationFieldProps) {
  const { data } = useOrganisations(true)
  const choices = [{ value: '', label: 'Select an organisation' }, ...(data ?? [])]
  return <NativeSelect label="Organisation" data={choices} {...field} />
}
