import { TextInput, type TextInputProps } from '@mantine/core'
import { formatDate } from './time.ts'

/** Field for a day. Below it stands the day as DD/MM/YYYY, because browsers order its parts by their own language. */
export const DateField = ({ value, description, ...field }: Omit<TextInputProps, 'type'>) => (
  <TextInput
    type="date"
    value={value}
    description={
      <>
        {description} {typeof value === 'string' && value !== '' && formatDate(value)}
      </>
    }
    inputWrapperOrder={['label', 'input', 'description', 'error']}
    {...field}
  />
)
