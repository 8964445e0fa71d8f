import { NativeSelect } from '@mantine/core'
import type { ComponentProps } from 'react'
import type { PrepaidState } from './forecast.ts'

interface CreditForProps extends Omit<ComponentProps<typeof NativeSelect>, 'data' | 'label'> {
  state: PrepaidState
}

/** Field that selects the training, or all other trainings of the organisation, that credit is bought for. */
export const CreditFor = ({ state: { organization, trainings }, ...field }: CreditForProps) => (
  <NativeSelect
    label="Credit for"
    data={[
      { value: '', label: `${organization}, all other trainings` },
      ...trainings.map((name) => ({ value: name, label: name })),
    ]}
    {...field}
  />
)
