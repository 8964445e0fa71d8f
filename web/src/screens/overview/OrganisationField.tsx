import { NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { organisations } from './lists.ts'

interface OrganisationFieldProps {
  value: string
  change: (name: string) => void
  error: string | false
}

/** Which organisation, out of all. */
export function OrganisationField({ value, change, error }: OrganisationFieldProps) {
  const { data } = useQuery(organisations)
  return (
    <NativeSelect
      label="Organization"
      value={value}
      error={error}
      onChange={(event) => change(event.currentTarget.value)}
    >
      <option value="">Select an organization</option>
      {data?.organization.map((name) => (
        <option key={name} value={name}>
          {name}
        </option>
      ))}
    </NativeSelect>
  )
}
