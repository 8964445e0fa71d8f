import { NativeSelect, type NativeSelectProps } from '@mantine/core'
import { useOrganisations } from '#src/navigation/trainings.ts'

interface OrganisationFieldProps extends Pick<NativeSelectProps, 'value' | 'error' | 'onChange'> {
  'data-autofocus'?: boolean
}

export function OrganisationField(field: OrganisationFieldProps) {
  const { data } = useOrganisations(true)
  return (
    <NativeSelect label="Organization" {...field}>
      <option value="">Select an organization</option>
      {data?.map((name) => (
        <option key={name} value={name}>
          {name}
        </option>
      ))}
    </NativeSelect>
  )
}
