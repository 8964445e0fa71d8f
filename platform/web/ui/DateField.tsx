import { TextInput, type TextInputProps } from '@mantine/core'
import { formatDate } from './time.ts'

type DateFieldProps = Omit<TextInputProps, 'type' | 'description'> & { description?: string }

/** Field for a day. Below it stands the day as DD/MM/YYYY, because browsers order its parts by their own language. */
export function DateField({ value, description, ...field }: DateFieldProps) {
  const day = typeof value === 'string' && value !== '' ? formatDate(value) : ''
  return (
    <TextInput
      type="date"
      value={value}
      description={[description, day].filter(Boolean).join(' ')}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      {...field}
    />
  )
}
